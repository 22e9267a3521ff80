/** What somebody wrote one a line. */
export function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
}
