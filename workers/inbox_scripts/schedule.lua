-- What every operation shares: names, the order of events, and when a subject may be claimed.
--
-- event:<id>             hash: body, subject, track, lane, seq, due, attempts, merges, ...
-- track:<track>:<subject> zset: event id -> seq, the order in which events run
-- delayed:<queue>:<subject> zset: event id -> due time; joins its track, last, once it is due
-- subject:<subject>      hash: fair, head_sha, head_seq, first_push, push_due, hold_<track>
-- subjects               set of subjects that have an event
-- ready:<queue>:<fair>   zset: subject -> due time; only subjects without a lease
-- turn:<queue>           zset: fairness key -> when it was served last
-- running:<queue>:<fair> set of subjects with a lease
-- lease:<subject>        hash: token, fence, event, queue, fair, cancelled
-- leases                 zset: subject -> expiry
-- dead                   hash: event id -> JSON; dead_at zset: event id -> time
-- seen:<id>              a claimed delivery or message id
-- Times are milliseconds of Redis' own clock.

local P = 'precedent:inbox:'
local METRICS = 'precedent:metrics'
local SUBJECT_TTL_MS = 30 * 24 * 3600 * 1000
local TURN_TTL_MS = 10 * 60 * 1000
local SETTLED_TTL_MS = 60 * 1000
-- A job that is asked for again and again still runs after this many of its own delays.
local MAX_POSTPONED_DELAYS = 5
-- Highest priority first. A sign has a queue of its own: it must not wait for a review's slot.
local TRACKS = {'sign', 'message', 'push', 'background'}
local QUEUE = {sign = 'express', message = 'reviews', push = 'reviews', background = 'background'}
local QUEUES = {'express', 'reviews', 'background'}

local function now_ms()
  local t = redis.call('TIME')
  return tonumber(t[1]) * 1000 + math.floor(tonumber(t[2]) / 1000)
end

local function count(name, lane, by)
  redis.call('HINCRBY', METRICS, 'precedent_inbox_' .. name .. '_total{lane="' .. lane .. '"}', by or 1)
end

local function track_key(track, subject) return P .. 'track:' .. track .. ':' .. subject end
local function delayed_key(queue, subject) return P .. 'delayed:' .. queue .. ':' .. subject end
local function subject_key(subject) return P .. 'subject:' .. subject end
local function lease_key(subject) return P .. 'lease:' .. subject end
local function event_key(id) return P .. 'event:' .. id end

local function number_of(key, field)
  return tonumber(redis.call('HGET', key, field) or nil) or 0
end

-- When the head of a track may run, or nil when the track is empty.
local function track_due(track, subject)
  local head = redis.call('ZRANGE', track_key(track, subject), 0, 0)[1]
  if not head then return nil end
  local skey = subject_key(subject)
  local natural
  if track == 'push' then natural = number_of(skey, 'push_due')
  else natural = number_of(event_key(head), 'due') end
  return math.max(natural, number_of(skey, 'hold_' .. track))
end

local function set_ready(queue, fair, subject, due)
  local ready, turn = P .. 'ready:' .. queue .. ':' .. fair, P .. 'turn:' .. queue
  if due then
    redis.call('ZADD', ready, due, subject)
    if not redis.call('ZSCORE', turn, fair) then
      redis.call('ZADD', turn, redis.call('GET', P .. 'served:' .. queue .. ':' .. fair) or 0, fair)
    end
  else
    redis.call('ZREM', ready, subject)
    if redis.call('EXISTS', ready) == 0 then redis.call('ZREM', turn, fair) end
  end
end

-- Bring the ready sets in line with what the subject holds now. Every operation ends with this.
local function schedule(subject)
  local skey = subject_key(subject)
  local fair = redis.call('HGET', skey, 'fair')
  if not fair then return end
  local leased = redis.call('EXISTS', lease_key(subject)) == 1
  local due, any = {}, false
  local function offer(queue, at)
    if not at then return end
    any = true
    if not leased then due[queue] = math.min(due[queue] or at, at) end
  end
  for _, track in ipairs(TRACKS) do offer(QUEUE[track], track_due(track, subject)) end
  for _, queue in ipairs(QUEUES) do
    local first = redis.call('ZRANGE', delayed_key(queue, subject), 0, 0, 'WITHSCORES')
    offer(queue, tonumber(first[2]))
    set_ready(queue, fair, subject, due[queue])
  end
  if any then
    redis.call('SADD', P .. 'subjects', subject)
    redis.call('PERSIST', skey)
  else
    redis.call('SREM', P .. 'subjects', subject)
    redis.call('PEXPIRE', skey, SUBJECT_TTL_MS)
  end
end

local function enter_track(id, track, subject, seq, now)
  redis.call('ZADD', track_key(track, subject), seq, id)
  redis.call('HSET', event_key(id), 'seq', seq)
end

-- Delayed events that are due take their place at the end of their track.
local function promote(queue, subject, now)
  local delayed = delayed_key(queue, subject)
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', delayed, '-inf', now)) do
    redis.call('ZREM', delayed, id)
    local track = redis.call('HGET', event_key(id), 'track')
    if track then enter_track(id, track, subject, redis.call('INCR', P .. 'seq')) end
  end
end

-- A push waits until the pull request has been quiet, but not for ever, and names the newest head.
local function note_push(e, seq, now, quiet_ms, max_wait_ms)
  local skey = subject_key(e.subject)
  if e.head == '' or redis.call('HGET', skey, 'head_sha') ~= e.head then
    redis.call('HSET', skey, 'head_sha', e.head, 'head_seq', seq)
  end
  local first = number_of(skey, 'first_push')
  if first == 0 then
    first = now
    redis.call('HSET', skey, 'first_push', now)
  end
  redis.call('HSET', skey, 'push_due', math.min(now + quiet_ms, first + max_wait_ms))
end

-- The same job is asked for again: its newest body counts, and it waits anew (within bounds).
local function place_again(e, now)
  local ekey = event_key(e.id)
  local subject = redis.call('HGET', ekey, 'subject')
  redis.call('HSET', ekey, 'body', e.body)
  if redis.call('HGET', lease_key(subject), 'event') == e.id then
    redis.call('HSET', ekey, 'again_due', now + e.delay_ms)
    return
  end
  local delayed = delayed_key(QUEUE[e.track], subject)
  if redis.call('ZSCORE', delayed, e.id) then
    local latest = number_of(ekey, 'accepted') + MAX_POSTPONED_DELAYS * e.delay_ms
    local due = math.min(now + e.delay_ms, latest)
    redis.call('ZADD', delayed, due, e.id)
    redis.call('HSET', ekey, 'due', due)
    schedule(subject)
  end
end

local function place(e, now, quiet_ms, max_wait_ms)
  local ekey = event_key(e.id)
  if redis.call('EXISTS', ekey) == 1 then return place_again(e, now) end
  local skey = subject_key(e.subject)
  if redis.call('SISMEMBER', P .. 'subjects', e.subject) == 0 then
    redis.call('HSET', skey, 'fair', e.fair)
  end
  local seq = redis.call('INCR', P .. 'seq')
  redis.call('HSET', ekey, 'body', e.body, 'subject', e.subject, 'track', e.track, 'lane', e.lane,
    'due', now + e.delay_ms, 'accepted', now, 'attempts', 0)
  if e.merges then redis.call('HSET', ekey, 'merges', '1') end
  if e.delay_ms > 0 then
    redis.call('ZADD', delayed_key(QUEUE[e.track], e.subject), now + e.delay_ms, e.id)
  else
    enter_track(e.id, e.track, e.subject, seq)
    if e.track == 'push' then note_push(e, seq, now, quiet_ms, max_wait_ms) end
  end
  count('accepted', e.lane)
  schedule(e.subject)
end

local function remove_event(id)
  local ekey = event_key(id)
  local subject, track = unpack(redis.call('HMGET', ekey, 'subject', 'track'))
  if not subject then return end
  redis.call('ZREM', track_key(track, subject), id)
  redis.call('ZREM', delayed_key(QUEUE[track], subject), id)
  redis.call('DEL', ekey)
end

local function bury(id, reason, traceback, now)
  local ekey = event_key(id)
  local body, subject, track, lane, seq, attempts, accepted =
    unpack(redis.call('HMGET', ekey, 'body', 'subject', 'track', 'lane', 'seq', 'attempts', 'accepted'))
  redis.call('HSET', P .. 'dead', id, cjson.encode({
    body = body, subject = subject, track = track, lane = lane, seq = tonumber(seq),
    attempts = tonumber(attempts), accepted_ms = tonumber(accepted), died_ms = now,
    reason = reason, traceback = traceback,
    fair = redis.call('HGET', subject_key(subject), 'fair') or ''}))
  redis.call('ZADD', P .. 'dead_at', now, id)
  redis.call('HDEL', subject_key(subject), 'hold_' .. track)
  remove_event(id)
  count('dead_letters', lane)
end

local function unlock(subject)
  local lkey = lease_key(subject)
  local queue, fair = unpack(redis.call('HMGET', lkey, 'queue', 'fair'))
  if queue then redis.call('SREM', P .. 'running:' .. queue .. ':' .. fair, subject) end
  redis.call('DEL', lkey)
  redis.call('ZREM', P .. 'leases', subject)
end

-- Newer head accepted than the one this push names.
local function is_superseded(id, subject)
  local track, seq = unpack(redis.call('HMGET', event_key(id), 'track', 'seq'))
  return track == 'push' and number_of(subject_key(subject), 'head_seq') > tonumber(seq)
end
