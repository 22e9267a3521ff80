import { callerOfOperator } from '../access/caller-of.js'
import type { Question } from '../questions/question.js'
import type { TaskContext } from './task-kind.js'

/** Asks a question about the task's project, with the full project's scope. */
export async function askAsTask<Input, Output>(
  { services, project, runId, signal }: TaskContext,
  question: Question<Input, Output>,
  args: object,
): Promise<Output> {
  const caller = callerOfOperator(project.project_id)
  const answer = await services.answering.answer(question, caller, args, { requestId: runId, signal })
  return question.output.parse(answer)
}
