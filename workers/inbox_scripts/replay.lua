-- Put a dead letter back in its old place. ARGV: event id. Answers 1, or 0 when there is none.
local record = redis.call('HGET', P .. 'dead', ARGV[1])
if not record then return 0 end
local letter, now = cjson.decode(record), now_ms()
redis.call('HDEL', P .. 'dead', ARGV[1])
redis.call('ZREM', P .. 'dead_at', ARGV[1])
count('replayed', letter.lane)
if redis.call('EXISTS', event_key(ARGV[1])) == 1 then return 1 end
local skey = subject_key(letter.subject)
redis.call('HSETNX', skey, 'fair', letter.fair)
redis.call('HSET', event_key(ARGV[1]), 'body', letter.body, 'subject', letter.subject,
  'track', letter.track, 'lane', letter.lane, 'due', now, 'accepted', now, 'attempts', 0)
enter_track(ARGV[1], letter.track, letter.subject, letter.seq)
schedule(letter.subject)
return 1
