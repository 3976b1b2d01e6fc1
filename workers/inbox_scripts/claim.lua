-- Give expired leases back, then lease the next due subject. Answers JSON, or nil when none is due.
local request = cjson.decode(ARGV[1])
local now = now_ms()

local function expire_leases()
  for _, subject in ipairs(redis.call('ZRANGEBYSCORE', P .. 'leases', '-inf', now)) do
    local id = redis.call('HGET', lease_key(subject), 'event')
    local lane = id and redis.call('HGET', event_key(id), 'lane')
    if lane then
      redis.call('HSET', event_key(id), 'reason', 'worker_lost')
      count('lease_expiries', lane)
    end
    unlock(subject)
    schedule(subject)
  end
end

-- Of the waiting pushes only the last one counts, and none that is older than the newest head. Of
-- jobs that do the same whoever asks for them the last one counts too.
local function coalesce(subject, track)
  local key = track_key(track, subject)
  local ids = redis.call('ZRANGE', key, 0, -1)
  for i, id in ipairs(ids) do
    local merges = track == 'push' or redis.call('HEXISTS', event_key(id), 'merges') == 1
    if (i < #ids and merges) or is_superseded(id, subject) then
      local lane = redis.call('HGET', event_key(id), 'lane')
      if lane then count('coalesced', lane) end
      redis.call('ZREM', key, id)
      remove_event(id)
    end
  end
end

local function lease(id, track, subject, fair)
  local queue, fence = QUEUE[track], redis.call('INCR', P .. 'fence')
  redis.call('HSET', lease_key(subject), 'token', request.token, 'fence', fence, 'event', id,
    'queue', queue, 'fair', fair)
  redis.call('ZADD', P .. 'leases', now + request.lease_ms, subject)
  redis.call('SADD', P .. 'running:' .. queue .. ':' .. fair, subject)
  redis.call('SET', P .. 'served:' .. queue .. ':' .. fair, now, 'PX', TURN_TTL_MS)
  redis.call('ZADD', P .. 'turn:' .. queue, now, fair)
  if track == 'push' then redis.call('HDEL', subject_key(subject), 'first_push') end
  schedule(subject)
  local body, lane, attempts, accepted =
    unpack(redis.call('HMGET', event_key(id), 'body', 'lane', 'attempts', 'accepted'))
  count('attempts', lane)
  return cjson.encode({body = body, fence = fence, attempt = tonumber(attempts),
    waited_ms = now - tonumber(accepted)})
end

-- The attempt counts before the event runs, so that a crash counts too.
local function take_head(track, subject, fair)
  while true do
    if track == 'push' or track == 'background' then coalesce(subject, track) end
    local due = track_due(track, subject)
    if not due or due > now then return nil end
    local id = redis.call('ZRANGE', track_key(track, subject), 0, 0)[1]
    if redis.call('EXISTS', event_key(id)) == 0 then
      redis.call('ZREM', track_key(track, subject), id)
    elseif redis.call('HINCRBY', event_key(id), 'attempts', 1) > request.max_attempts then
      redis.call('HINCRBY', event_key(id), 'attempts', -1)
      local reason, traceback = unpack(redis.call('HMGET', event_key(id), 'reason', 'traceback'))
      bury(id, reason or 'worker_lost', traceback or '', now)
    else
      return lease(id, track, subject, fair)
    end
  end
end

local function take(queue, subject, fair)
  promote(queue, subject, now)
  for _, track in ipairs(TRACKS) do
    if QUEUE[track] == queue then
      local leased = take_head(track, subject, fair)
      if leased then return leased end
    end
  end
  schedule(subject)
  return nil
end

expire_leases()
for _, queue in ipairs(request.queues) do
  for _, fair in ipairs(redis.call('ZRANGE', P .. 'turn:' .. queue, 0, -1)) do
    if redis.call('SCARD', P .. 'running:' .. queue .. ':' .. fair) < request.cap then
      for _, subject in ipairs(redis.call(
        'ZRANGEBYSCORE', P .. 'ready:' .. queue .. ':' .. fair, '-inf', now, 'LIMIT', 0, 100)) do
        local leased = take(queue, subject, fair)
        if leased then return leased end
      end
    end
  end
end
return nil
