/** How a pipeline would run. */
export interface Explanation {
  readonly pipeline: readonly object[]
  readonly plan: { readonly engine_stages: number; readonly evaluated_stages: number }
  /** The first stage that runs outside the engine. */
  readonly first_evaluated: string | undefined
  readonly warnings: readonly string[]
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** An explanation for a reader. */
export function explanationLines({ pipeline, plan, first_evaluated, warnings, sql, parameters }: Explanation): string {
  const stages = (count: number) => `${count} ${count === 1 ? 'stage' : 'stages'}`
  const rest =
    first_evaluated === undefined ? '' : `, ${stages(plan.evaluated_stages)} after it, from ${first_evaluated} on`
  return [
    `Plan: ${stages(plan.engine_stages)} in the engine${rest}`,
    ...warnings.map(warning => `Warning: ${warning}`),
    '',
    'Pipeline:',
    ...pipeline.map(stage => `  ${JSON.stringify(stage)}`),
    '',
    'SQL:',
    // A line for each step; texts of our own hold neither of the two.
    `  ${sql.replaceAll(/, ("s\d+" as )/g, ',\n  $1').replace(/\) (select (?!.*"s\d+" as ))/, ')\n  $1')}`,
    '',
    'Parameters:',
    ...parameters.map((value, i) => `  $${i + 1} = ${JSON.stringify(value)}`),
    '',
  ].join('\n')
}
