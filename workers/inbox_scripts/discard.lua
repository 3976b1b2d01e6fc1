-- Remove a dead letter or an event. ARGV: event id. A running event is stopped at its next check.
-- Answers 1, or 0 when there is no such event.
local id = ARGV[1]
local was_dead = redis.call('HDEL', P .. 'dead', id)
redis.call('ZREM', P .. 'dead_at', id)
local subject = redis.call('HGET', event_key(id), 'subject')
if not subject then return was_dead end
if redis.call('HGET', lease_key(subject), 'event') == id then
  redis.call('HSET', lease_key(subject), 'cancelled', '1')
else
  remove_event(id)
  schedule(subject)
end
return 1
