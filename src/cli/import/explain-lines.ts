import { echo } from '../../base/text.js'
import type { ExplainedFormat, Explanation, UnknownFile } from '../../ingest/explain/explain-files.js'
import { plain } from '../../ingest/explain/nearest-format.js'

/** What files are, for a reader. */
export function explainLines({
  files,
  not_looked_into: more = 0,
  formats,
  unknown_files: of,
  unknown,
}: Explanation): string {
  const lines = formats.flatMap(formatLines)
  for (const one of unknown) lines.push(...unknownLines(one))
  if (of > unknown.length) lines.push(`and ${of - unknown.length} more files of no known format.`, '')
  if (more > 0) lines.push(`${more} of ${files} files were not looked into.`, '')
  if (lines.length === 0) lines.push('There is nothing to read.', '')
  return lines.join('\n')
}

function formatLines({
  format,
  title,
  agent_by: agent,
  files,
  calls,
  rejected,
  facts,
  reasons,
}: ExplainedFormat): readonly string[] {
  return [
    `${files} ${files === 1 ? 'file looks' : 'files look'} like ${format}: ${title}.`,
    `  ${calls} of ${calls + rejected} calls would be taken. The agent is found by: ${agent}.`,
    ...facts.map(fact => `  ${fact.calls} of ${calls} ${fact.fact}.`),
    ...reasons.map(({ reason, records }) => `  ${records} rejected: ${reason}`),
    '',
  ]
}

function unknownLines({
  file,
  why,
  fields,
  nearest,
  maps,
  taken_with_maps: taken,
  still,
}: UnknownFile): readonly string[] {
  const lines = [`${file} ${why}.`]
  if (fields !== undefined) lines.push(`  Its fields: ${fields.map(echo).join(', ')}`)
  if (nearest !== undefined) {
    const { format, has, lacks } = nearest
    lines.push(
      `  The nearest format is ${format}: ${has.map(plain).join(', ')} is there; it has ${lacks.map(plain).join(', ')} too.`,
    )
  }
  if (maps !== undefined) {
    lines.push(
      taken === true
        ? '  These mappings read it:'
        : `  These mappings are a beginning; with them it ${still ?? 'holds no call'}`,
      `    ${maps.map(map => `--map ${quoted(map)}`).join(' ')}`,
    )
  }
  return [...lines, '']
}

/** As a shell takes it. */
function quoted(text: string): string {
  return /^[\w.=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
