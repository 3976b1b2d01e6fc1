-- Stop a subject's review. ARGV: subject, id of the event that asks (it is never stopped itself).
-- Answers "running", "waiting" or "nothing".
local subject, answer = ARGV[1], 'nothing'
for _, id in ipairs(redis.call('ZRANGE', track_key('push', subject), 0, -1)) do
  if id ~= redis.call('HGET', lease_key(subject), 'event') then
    count('cancelled', redis.call('HGET', event_key(id), 'lane') or 'reviews')
    remove_event(id)
    answer = 'waiting'
  end
end
if redis.call('EXISTS', track_key('push', subject)) == 0 then
  redis.call('HDEL', subject_key(subject), 'first_push', 'hold_push')
end
local running = redis.call('HGET', lease_key(subject), 'event')
if running and running ~= ARGV[2] then
  redis.call('HSET', lease_key(subject), 'cancelled', '1')
  answer = 'running'
end
schedule(subject)
return answer
