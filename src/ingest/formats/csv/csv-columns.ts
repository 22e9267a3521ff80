/** The column names of a table and what is between them. */
export interface CsvHeader {
  readonly columns: readonly string[]
  readonly delimiter: string
}

const DELIMITERS = [',', ';', '\t', '|']
/** Excel's own first line, which says what is between the columns. */
const SEPARATOR_LINE = /^sep=(.)\s*$/i

/** Names other systems have for fields of the record, by field; those named first come first. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  session_id: ['call_id', 'contact_id', 'interaction_id', 'conversation_id', 'recording_id', 'id'],
  agent_name: ['agent', 'agent_full_name', 'advisor', 'advisor_name', 'representative', 'rep', 'rep_name'],
  created_dt: [
    'created_at',
    'started_at',
    'started',
    'start_time',
    'call_start',
    'call_time',
    'datetime',
    'timestamp',
    'date',
  ],
  interaction_direction: ['direction', 'call_direction'],
  interaction_driver: ['driver', 'call_reason', 'reason', 'call_driver'],
  customer_display_name: ['customer', 'customer_name', 'caller_name'],
  language_primary: ['language', 'language_code'],
  'talk_patterns.total_duration_s': ['total_duration_s', 'duration_s', 'duration_seconds'],
  'session_metadata.audio_length_seconds': ['audio_length_seconds'],
  'turn.speaker': ['speaker', 'actor', 'role', 'participant', 'speaker_role', 'speaker_name'],
  'turn.text': ['text', 'utterance', 'message', 'transcript', 'content', 'body'],
  'turn.start_s': ['start_s', 'start_seconds', 'start_sec'],
  'turn.start_ms': ['start_ms', 'start_millis', 'offset_ms', 'begin_ms'],
  'turn.end_s': ['end_s', 'end_seconds', 'end_sec'],
  'turn.end_ms': ['end_ms', 'end_millis'],
  'turn.start': ['start', 'offset', 'begin'],
  'turn.end': ['end'],
}

/** A column's name as it is compared: `Call ID` is call_id. */
function normal(column: string): string {
  return column
    .trim()
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '_')
}

/** The header of a table, from the beginning of its text; undefined when it has no two columns. */
export function headerOf(head: string): (CsvHeader & { readonly length: number }) | undefined {
  let start = 0
  let asked: string | undefined
  const first = head.slice(0, Math.max(0, head.search(/[\r\n]|$/)))
  const separator = SEPARATOR_LINE.exec(first)
  if (separator !== null) {
    asked = separator[1]
    start = first.length + (head.startsWith('\r\n', first.length) ? 2 : 1)
  }
  const end = lineEnd(head, start)
  const line = head.slice(start, end)
  const delimiter = asked ?? commonest(line)
  if (delimiter === undefined) return undefined
  const columns = split(line.replace(/\r$/, ''), delimiter)
  if (columns.length < 2 || columns.every(column => column === '')) return undefined
  return { columns, delimiter, length: Math.min(end + 1, head.length) }
}

function lineEnd(text: string, from: number): number {
  let quoted = false
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '"') quoted = !quoted
    else if (text[at] === '\n' && !quoted) return at
  }
  return text.length
}

function commonest(line: string): string | undefined {
  const outside = line.replaceAll(/"[^"]*"/g, '')
  const counts = DELIMITERS.map(delimiter => ({ delimiter, count: outside.split(delimiter).length - 1 }))
  const [best] = counts.toSorted((a, b) => b.count - a.count)
  return best === undefined || best.count === 0 ? undefined : best.delimiter
}

function split(line: string, delimiter: string): string[] {
  const columns: string[] = []
  let column = ''
  let quoted = false
  for (const character of line) {
    if (character === '"') quoted = !quoted
    else if (character === delimiter && !quoted) {
      columns.push(column.trim())
      column = ''
    } else column += character
  }
  columns.push(column.trim())
  return columns
}

/**
 * Which field each column is, by its index: fields under their own name, else under one other systems have for it. Of
 * two columns for one field the better name wins. Columns that are no field are not in the answer.
 */
export function fieldsOfColumns(columns: readonly string[], fields: readonly string[]): ReadonlyMap<number, string> {
  const names = columns.map(normal)
  const found = new Map<number, string>()
  for (const field of fields) {
    const wanted = [field, field.replace(/^(?:turn|talk_patterns)\./, ''), ...(ALIASES[field] ?? [])]
    const index = wanted.map(name => names.indexOf(name)).find(at => at !== -1 && !found.has(at))
    if (index !== undefined) found.set(index, field)
  }
  return found
}
