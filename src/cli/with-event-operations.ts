import { type GlobalArguments, globalFlags } from './global-options.js'
import type { EventOperations } from './operations/event-operations.js'
import { withOperations } from './with-operations.js'

/** Runs a command's work on the webhooks and alerts of its project. */
export function withEventOperations<T>(
  args: GlobalArguments & { readonly project: string },
  work: (operations: EventOperations) => Promise<T>,
): Promise<T> {
  return withOperations(globalFlags(args), operations => work(operations.eventsOf(args.project)))
}
