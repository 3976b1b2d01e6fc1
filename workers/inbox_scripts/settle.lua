-- End a lease: ack, drop, release, defer or fail. Answers "settled", "dead" or "lost".
-- A settlement whose answer got lost may be sent again: it is remembered by its token.
local request = cjson.decode(ARGV[1])
local subject, now = request.subject, now_ms()
local settled_key = P .. 'settled:' .. request.token
local earlier = redis.call('GET', settled_key)
if earlier then return earlier end

local id, token = unpack(redis.call('HMGET', lease_key(subject), 'event', 'token'))
if token ~= request.token then return 'lost' end
local ekey, skey = event_key(id), subject_key(subject)
local track, lane = unpack(redis.call('HMGET', ekey, 'track', 'lane'))

local function finish()
  redis.call('HDEL', skey, 'hold_' .. track)
  local again_due = tonumber(redis.call('HGET', ekey, 'again_due') or nil)
  if not again_due then return remove_event(id) end
  redis.call('ZREM', track_key(track, subject), id)
  redis.call('HDEL', ekey, 'again_due', 'reason', 'traceback', 'deferred_since')
  redis.call('HSET', ekey, 'attempts', 0, 'accepted', now, 'due', again_due)
  redis.call('ZADD', delayed_key(QUEUE[track], subject), again_due, id)
end

local function hold(until_ms) redis.call('HSET', skey, 'hold_' .. track, until_ms) end
local function uncharge() redis.call('HINCRBY', ekey, 'attempts', -1) end

local actions = {}
function actions.ack()
  finish()
  count('done', lane)
end
function actions.drop()
  finish()
  count(request.reason, lane)
end
function actions.release()
  uncharge()
  count('released', lane)
end
function actions.defer()
  uncharge()
  count('deferred', lane)
  redis.call('HSETNX', ekey, 'deferred_since', now)
  if now + request.delay_ms - number_of(ekey, 'deferred_since') > request.max_deferred_ms then
    bury(id, 'deferred_too_long', '', now)
    return 'dead'
  end
  hold(now + request.delay_ms)
end
function actions.fail()
  redis.call('HSET', ekey, 'reason', request.reason, 'traceback', request.traceback)
  count('failures', lane)
  if request.permanent or number_of(ekey, 'attempts') >= request.max_attempts then
    bury(id, request.reason, request.traceback, now)
    return 'dead'
  end
  hold(now + request.delay_ms)
end

local outcome = 'settled'
if track then outcome = actions[request.action]() or 'settled' end
unlock(subject)
for _, e in ipairs(request.events) do place(e, now, request.quiet_ms, request.max_wait_ms) end
schedule(subject)
redis.call('SET', settled_key, outcome, 'PX', SETTLED_TTL_MS)
return outcome
