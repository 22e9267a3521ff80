/** What a language model was asked about one call. */
export interface ModelQuestion {
  readonly project_id: string
  readonly session_id: string
  /** Hash of all that was sent, and of what reads the answer. */
  readonly request: string
}

/** A question of a project, answered. */
export interface AnsweredQuestion extends Omit<ModelQuestion, 'project_id'> {
  readonly answer: string
}

/**
 * Keeps what language models answered, so that no answer is paid for twice. An answer holds places in the transcript and
 * never its words; it goes with its call, and with its call's transcript.
 */
export interface ModelAnswerStore {
  get(question: ModelQuestion): Promise<string | undefined>
  /** Durable when it resolves. Keeps nothing of a call that is gone, or whose transcript is. */
  put(question: ModelQuestion, answer: string): Promise<void>
  /** The same for many questions of one project, at most one about a call, in one go. */
  putAll(projectId: string, answers: readonly AnsweredQuestion[]): Promise<void>
}
