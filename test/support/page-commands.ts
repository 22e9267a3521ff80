/** A command of a page of docs/, and what the page shows of its output. */
export interface PageCommand {
  readonly command: string
  readonly shown: string
}

/**
 * The commands of a page's console blocks, in order: what stands behind `$ `, with its further lines where they are
 * continued by a backslash, are indented or belong to a here-document. The lines behind a command are what it prints.
 */
export function pageCommands(page: string): readonly PageCommand[] {
  const commands: { command: string; shown: string }[] = []
  for (const [, block = ''] of page.matchAll(/^```console\n([\s\S]*?)^```/gm)) {
    let until: string | undefined
    let open = false
    for (const line of block.split('\n').slice(0, -1)) {
      const last = commands.at(-1)
      if (until !== undefined && last !== undefined) {
        last.command += `\n${line}`
        if (line === until) until = undefined
      } else if (line.startsWith('$ ')) {
        commands.push({ command: line.slice(2), shown: '' })
        until = /<<(\w+)$/.exec(line)?.[1]
        open = line.endsWith('\\')
      } else if (open && last !== undefined) {
        last.command += `\n${line}`
        open = line.endsWith('\\')
      } else if (last !== undefined) last.shown += `${line}\n`
    }
  }
  return commands
}

/**
 * What of a shown output must come in the real one, in this order: the names of its fields, and its words where it is no
 * JSON. Values are whoever's; `…` and what follows it in a line stands for anything.
 */
export function landmarks(shown: string): readonly string[] {
  if (/^\d+\n$/.test(shown)) return [shown.trim()]
  return shown
    .split('\n')
    .flatMap(line => [...line.matchAll(/"(?:error|message|code|path)":"[^"…]*|"\w+":|^HTTP\/1\.1 \d+|^[\w-]+: /g)])
    .map(([mark]) => mark)
}

/** The first landmark that does not come, in its place; undefined when all do. */
export function missingLandmark(shown: string, output: string): string | undefined {
  let from = 0
  for (const mark of landmarks(shown)) {
    const found = output.indexOf(mark, from)
    if (found === -1) return mark
    from = found + mark.length
  }
  return undefined
}
