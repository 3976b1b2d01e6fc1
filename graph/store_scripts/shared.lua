-- What every script begins with. ARGV[1] is the store's key prefix P, ARGV[2] how many revisions
-- an item keeps, ARGV[3] for how many seconds those of an item that is gone stay.
--   P:i:N          hash   item key -> "created updated version expiry ttl\nJSON"
--   P:o:N          zset   item key scored by its insert number
--   P:ns           zset   every namespace N, all scores 0, for ranges by label
--   P:nz           zset   every namespace N scored by its creation number
--   P:x            zset   "#N:N<key>" scored by expiry in milliseconds
--   P:h:#N:N<key>  list   revisions, newest first: "version at\nauthor JSON\nvalue JSON or nothing"
--   P:seq          string the one counter behind versions, insert and creation numbers
-- N is a netstring of labels; #N is its length in bytes. Times are microseconds, except expiry and
-- ttl, which are milliseconds. Only Redis' clock is used.

-- Needed before Redis 7 to write after TIME; a no-op since.
if redis.replicate_commands then redis.replicate_commands() end

local P = ARGV[1]
local clock = redis.call('TIME')
local now_us = tonumber(clock[1]) * 1000000 + tonumber(clock[2])
local now_ms = math.floor(now_us / 1000)

-- Lua writes large numbers as 1.7e+15 unless told otherwise.
local function digits(number)
  return string.format('%.0f', number)
end

local function own(namespace, key)
  return #namespace .. ':' .. namespace .. key
end

local function parse(record)
  local created, updated, version, expiry, ttl, value =
    string.match(record, '^(%d+) (%d+) (%d+) (%d+) (%d+)\n(.*)$')
  return {
    created = created, updated = updated, version = tonumber(version),
    expiry = tonumber(expiry), ttl = tonumber(ttl), value = value,
  }
end

local function save(namespace, key, item)
  redis.call('HSET', P .. ':i:' .. namespace, key, table.concat({
    item.created, item.updated, digits(item.version), digits(item.expiry), digits(item.ttl),
  }, ' ') .. '\n' .. item.value)
  if item.expiry > 0 then
    redis.call('ZADD', P .. ':x', digits(item.expiry), own(namespace, key))
  end
end

local function load(namespace, key)
  local record = redis.call('HGET', P .. ':i:' .. namespace, key)
  return record and parse(record) or nil
end

-- A new item takes the next place in its namespace, a new namespace the next place of all.
local function enlist(namespace, key)
  redis.call('ZADD', P .. ':o:' .. namespace, digits(redis.call('INCR', P .. ':seq')), key)
  if not redis.call('ZSCORE', P .. ':nz', namespace) then
    redis.call('ZADD', P .. ':nz', digits(redis.call('INCR', P .. ':seq')), namespace)
    redis.call('ZADD', P .. ':ns', 0, namespace)
  end
end

local function remove(namespace, key)
  redis.call('HDEL', P .. ':i:' .. namespace, key)
  redis.call('ZREM', P .. ':o:' .. namespace, key)
end

local function never_expire(namespace, key)
  redis.call('ZREM', P .. ':x', own(namespace, key))
end

local function drop_if_empty(namespace)
  if redis.call('EXISTS', P .. ':i:' .. namespace) == 0 then
    redis.call('ZREM', P .. ':ns', namespace)
    redis.call('ZREM', P .. ':nz', namespace)
  end
end

local HISTORY_LIMIT, KEEP_S = tonumber(ARGV[2]), tonumber(ARGV[3])

-- `is_new`: the item did not exist, so its revisions may have been about to end.
local function remember(namespace, key, version, at_us, author, value, is_new)
  if HISTORY_LIMIT == 0 then return end
  local history = P .. ':h:' .. own(namespace, key)
  local length = redis.call('LPUSH', history,
    digits(version) .. ' ' .. at_us .. '\n' .. author .. '\n' .. value)
  if length > HISTORY_LIMIT then redis.call('LTRIM', history, 0, HISTORY_LIMIT - 1) end
  if value == '' then
    redis.call('EXPIRE', history, KEEP_S)
  elseif is_new and length > 1 then
    redis.call('PERSIST', history)
  end
end

local function split(member)
  local size, rest = string.match(member, '^(%d+):(.*)$')
  return string.sub(rest, 1, tonumber(size)), string.sub(rest, tonumber(size) + 1)
end

-- Removes what has expired, so that nothing below ever sees it. Returns how many.
local function purge()
  local removed = 0
  while true do
    local due = redis.call('ZRANGEBYSCORE', P .. ':x', '-inf', digits(now_ms), 'LIMIT', 0, 500)
    for _, member in ipairs(due) do
      local namespace, key = split(member)
      local item = load(namespace, key)
      remember(namespace, key, redis.call('INCR', P .. ':seq'), digits(item.expiry * 1000), 'null', '')
      remove(namespace, key)
      never_expire(namespace, key)
      drop_if_empty(namespace)
    end
    removed = removed + #due
    if #due < 500 then return removed end
  end
end

-- Calls act(key, record) for each key, renewing what lives on being read.
local function read(namespace, keys, is_refreshing, act)
  for first = 1, #keys, 1000 do
    local page = {}
    for at = first, math.min(first + 999, #keys) do page[#page + 1] = keys[at] end
    local records = redis.call('HMGET', P .. ':i:' .. namespace, unpack(page))
    for at, record in ipairs(records) do
      if record and is_refreshing then
        local item = parse(record)
        if item.ttl > 0 then
          item.expiry = now_ms + item.ttl
          save(namespace, page[at], item)
          record = redis.call('HGET', P .. ':i:' .. namespace, page[at])
        end
      end
      act(page[at], record)
    end
  end
end

-- Adds items to three lists that `packed` joins: "#N #key header\n" of each, the names
-- themselves, and the values.
local heads, names, values = {}, {}, {}
local function pack_items(namespace, keys, is_refreshing)
  read(namespace, keys, is_refreshing, function(key, record)
    local line_end = string.find(record, '\n', 1, true)
    heads[#heads + 1] = #namespace .. ' ' .. #key .. ' ' .. string.sub(record, 1, line_end)
    names[#names + 1] = namespace .. key
    values[#values + 1] = string.sub(record, line_end + 1)
  end)
end

-- A few long strings are several times cheaper for a client to parse than hundreds of short ones.
local function packed()
  return table.concat(heads), table.concat(names), '[' .. table.concat(values, ',') .. ']'
end

local purged = purge()
