/** Words that exports have for the words of a field, by field, in lower case. */
const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  interaction_direction: {
    in: 'inbound',
    inbound: 'inbound',
    incoming: 'inbound',
    out: 'outbound',
    outbound: 'outbound',
    outgoing: 'outbound',
  },
  channel: {
    phone: 'phone',
    voice: 'phone',
    call: 'phone',
    chat: 'chat',
    email: 'email',
    'e-mail': 'email',
    sms: 'sms',
  },
}

/** What a field says in the words of the call record: `Outbound` is outbound, `Voice` phone. Anything else stays as it is. */
export function fieldWord(field: string, value: unknown): unknown {
  const words = WORDS[field]
  if (words === undefined || typeof value !== 'string') return value
  const word = value.trim().toLowerCase()
  return Object.hasOwn(words, word) ? words[word] : value
}
