type Fields = Record<string, unknown>

/**
 * A record without the fields that are null: records carry what is known, and many exports write null for what isn't.
 * session_metadata stays as it is, since it is the user's own, and so does a null in a list: that is a fault.
 */
export function withoutNulls(record: Fields): Fields {
  const kept: Fields = {}
  for (const [name, value] of Object.entries(record)) {
    if (value === null) continue
    kept[name] = name === 'session_metadata' ? value : within(value)
  }
  return kept
}

function within(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(within)
  return typeof value === 'object' && value !== null ? withoutNulls(value as Fields) : value
}
