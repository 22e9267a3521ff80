/** Whether WebVTT has JSON for its cues, as Teams writes what was said when by whom. */
export function isTeamsMetadata(head: string): boolean {
  return /^WEBVTT(?:\s|$)/.test(head) && /^\{"startDateTime"\s*:/m.test(head)
}
