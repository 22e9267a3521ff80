import type { AnsweredQuestion, ModelAnswerStore } from '../../store/model-answer-store.js'

/** Keeps answers some hundred at a time. What is lost with the process is still with the provider. */
export class GatheredAnswers implements Pick<ModelAnswerStore, 'get' | 'put'> {
  readonly #answers: ModelAnswerStore
  readonly #projectId: string
  readonly #together: number
  #waiting: AnsweredQuestion[] = []

  /** @param together how many are written at a time */
  constructor(answers: ModelAnswerStore, projectId: string, together: number) {
    this.#answers = answers
    this.#projectId = projectId
    this.#together = together
  }

  get: ModelAnswerStore['get'] = async question => await this.#answers.get(question)

  put: ModelAnswerStore['put'] = async ({ session_id, request }, answer) => {
    this.#waiting.push({ session_id, request, answer })
    if (this.#waiting.length >= this.#together) await this.flush()
  }

  async flush(): Promise<void> {
    const answers = this.#waiting
    this.#waiting = []
    await this.#answers.putAll(this.#projectId, answers)
  }
}
