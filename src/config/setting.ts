import type { z } from 'zod'

/** One thing an operator can set: its variable, its flag, what it may hold and what it means. */
export interface Setting<T> {
  /** Name of the environment variable. */
  readonly variable: string
  /** Name of the command-line flag that wins over the variable, without the dashes. */
  readonly flag?: string
  /** Heading under which docs/configuration.md lists it. */
  readonly group: string
  readonly description: string
  /** What holds when neither flag nor variable is given, as an operator would write it; absent = unset. */
  readonly default?: string | undefined
  /** Shown in place of `default`, where the default is a rule and no value. */
  readonly defaultText?: string
  /** Text to value; its issues are sentences that continue "VARIABLE ". */
  readonly read: z.ZodType<T, string>
}
