import type { Tool } from '@modelcontextprotocol/server'
import type { Caller } from '../access/caller.js'
import type { Question } from '../questions/question.js'
import { toolDefinition } from './tool-definition.js'

/** The questions as tools. Throws when one can't be described; the server then runs without tools and says so. */
export class ToolRegistry {
  readonly #tools: ReadonlyMap<string, { readonly question: Question; readonly definition: Tool }>

  constructor(questions: readonly Question[]) {
    this.#tools = new Map(questions.map(q => [q.name, { question: q, definition: toolDefinition(q) }]))
    if (this.#tools.size < questions.length) throw new Error('Two questions have the same name')
  }

  get size(): number {
    return this.#tools.size
  }

  /** The question of this name, whoever asks: a refusal for lack of a role is the question's answer. */
  question(name: string): Question | undefined {
    return this.#tools.get(name)?.question
  }

  /** The tools a caller may use. One whose role it lacks is not listed. */
  listFor(caller: Caller): Tool[] {
    const { roles } = caller.access_scope
    return [...this.#tools.values()]
      .filter(({ question }) => question.roles?.some(role => roles.includes(role)) ?? true)
      .map(({ definition }) => definition)
  }
}
