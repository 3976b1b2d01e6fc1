-- Renew leases. ARGV: lease_ms, then subject and token of each. Answers 1 or 0 for each.
local expiry, answers = now_ms() + tonumber(ARGV[1]), {}
for i = 2, #ARGV, 2 do
  local is_held = redis.call('HGET', lease_key(ARGV[i]), 'token') == ARGV[i + 1]
  if is_held then redis.call('ZADD', P .. 'leases', 'XX', expiry, ARGV[i]) end
  answers[#answers + 1] = is_held and 1 or 0
end
return answers
