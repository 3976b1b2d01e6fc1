-- Claim the ids and store the events, all or nothing. Answers 1 when accepted, 0 for a duplicate.
local request = cjson.decode(ARGV[1])
local now = now_ms()
local is_new = true
for _, id in ipairs(request.seen) do
  if not redis.call('SET', P .. 'seen:' .. id, '1', 'NX', 'PX', request.seen_ttl_ms) then
    is_new = false
  end
end
if not is_new then
  count('duplicates', request.events[1].lane)
  return 0
end
for _, e in ipairs(request.events) do place(e, now, request.quiet_ms, request.max_wait_ms) end
return 1
