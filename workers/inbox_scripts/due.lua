-- How many events could be claimed now. ARGV: cap, then queues. Also gives expired leases their due.
local now, cap, total = now_ms(), tonumber(ARGV[1]), 0
for i = 2, #ARGV do
  for _, fair in ipairs(redis.call('ZRANGE', P .. 'turn:' .. ARGV[i], 0, -1)) do
    local free = cap - redis.call('SCARD', P .. 'running:' .. ARGV[i] .. ':' .. fair)
    local due = redis.call('ZCOUNT', P .. 'ready:' .. ARGV[i] .. ':' .. fair, '-inf', now)
    total = total + math.max(0, math.min(free, due))
  end
end
for _, subject in ipairs(redis.call('ZRANGEBYSCORE', P .. 'leases', '-inf', now)) do
  local queue = redis.call('HGET', lease_key(subject), 'queue')
  for i = 2, #ARGV do
    if ARGV[i] == queue then total = total + 1 end
  end
end
return total
