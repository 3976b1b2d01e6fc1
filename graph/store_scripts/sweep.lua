-- The purge that every script begins with is all there is to do.
return purged
