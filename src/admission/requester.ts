/** Who takes something scarce: a key, or an administrator, of a project. */
export interface Requester {
  readonly project: string
  /** Names the credential within its project. */
  readonly key: string
}
