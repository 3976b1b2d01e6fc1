-- What a thread's keys hold, large contents left out.
-- Returns {checkpoint names}, {write name, record, ...}, {digests}.
return {
  redis.call('ZRANGE', ORDER, 0, -1), redis.call('HGETALL', WRITES), redis.call('HKEYS', BLOBS)
}
