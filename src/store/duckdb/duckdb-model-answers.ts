import type { AnsweredQuestion, ModelAnswerStore, ModelQuestion } from '../model-answer-store.js'
import { sessionKey } from './call-columns.js'
import type { Reading, Writing } from './engine.js'

const CALL = `project_id = $1 and session_key = ${sessionKey('$2')} and session_id = $2`

/** SQL that forgets the answers about calls whose ids are in a table; $1 is the project. */
export const forgetAnswers = (table: string) =>
  `delete from model_answers using ${table} where project_id = $1 and model_answers.session_id = ${table}.session_id
     and model_answers.session_key = ${sessionKey(`${table}.session_id`)}`

/** Keeps what language models answered, in the store, so that an answer is erased in one transaction with its call. */
export class DuckDbModelAnswers implements ModelAnswerStore {
  readonly #writer: Writing
  readonly #reader: Reading

  constructor(writer: Writing, reader: Reading) {
    this.#writer = writer
    this.#reader = reader
  }

  async get({ project_id: projectId, session_id: id, request }: ModelQuestion): Promise<string | undefined> {
    const [row] = await this.#reader.rows(`select answer::varchar from model_answers where ${CALL} and request = $3`, [
      projectId,
      id,
      request,
    ])
    return row === undefined ? undefined : String(row[0])
  }

  async put({ project_id: projectId, session_id: id, request }: ModelQuestion, answer: string): Promise<void> {
    await this.#writer.transaction(async connection => {
      await connection.run(`delete from model_answers where ${CALL} and request = $3`, [projectId, id, request])
      await connection.run(
        `insert into model_answers select $1, ${sessionKey('$2')}, $2, $3, $4
         where exists (select 1 from calls where ${CALL} and transcript is not null)`,
        [projectId, id, request, answer],
      )
    })
  }

  async putAll(projectId: string, answers: readonly AnsweredQuestion[]): Promise<void> {
    if (answers.length === 0) return
    await this.#writer.transaction(async connection => {
      await connection.run(
        `create or replace temp table answered as
         select unnest(json_transform($1::JSON, '[{"session_id":"VARCHAR","request":"VARCHAR","answer":"VARCHAR"}]'),
           recursive := true)`,
        [JSON.stringify(answers)],
      )
      const isOf = (table: string) =>
        `${table}.session_id = answered.session_id and ${table}.session_key = ${sessionKey('answered.session_id')}`
      await connection.run(
        `delete from model_answers using answered
         where project_id = $1 and ${isOf('model_answers')} and model_answers.request = answered.request`,
        [projectId],
      )
      await connection.run(
        `insert into model_answers
         select $1, calls.session_key, answered.session_id, answered.request, answered.answer
         from answered join calls on ${isOf('calls')}
         where calls.project_id = $1 and calls.transcript is not null`,
        [projectId],
      )
      // Places in transcripts do not stay behind.
      await connection.run('drop table answered')
    })
  }
}
