/** Every run of so many characters: of two texts of which one is a part of the other, both have each run of the shorter. */
export function runsOf(text: string, length: number): readonly string[] {
  const runs: string[] = []
  for (let at = 0; at + length <= text.length; at += 1) runs.push(text.slice(at, at + length))
  return runs
}
