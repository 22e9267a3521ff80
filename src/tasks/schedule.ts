import { Cron } from 'croner'
import { Problem } from '../base/problem.js'
import { isoInstant } from '../base/window.js'
import { echo } from '../base/text.js'

const FORMS =
  'five fields (minute, hour, day of the month, month, day of the week), six with seconds first, or a word such as @daily'

/**
 * The instants at which a cron expression is due in a time zone. Where clocks are put forward, a fixed time that is left
 * out is due at the first instant after the gap; where they are put back, one that comes twice is due once. Steps and
 * wildcards (every half hour) go by elapsed time.
 */
export class Schedule {
  readonly cron: string
  readonly timeZone: string
  readonly #pattern: Cron

  private constructor(cron: string, timeZone: string, pattern: Cron) {
    this.cron = cron
    this.timeZone = timeZone
    this.#pattern = pattern
  }

  /**
   * @param now the instant of the request, milliseconds since 1970
   * @throws Problem `invalid_input` with the reason: not a cron expression, or no time left that it names
   */
  static read(cron: string, timeZone: string, now: number): Schedule {
    const schedule = new Schedule(cron, timeZone, patternOf(cron, timeZone))
    if (schedule.next(now) === undefined) throw refusal(cron, 'names no time that ever comes')
    return schedule
  }

  /** The first instant after another; undefined when none is left. Milliseconds since 1970. */
  next(after: number): number | undefined {
    return this.#pattern.nextRun(new Date(after))?.getTime()
  }

  /** The next instants, ISO 8601 in UTC. */
  nextTimes(count: number, after: number): readonly string[] {
    return this.#pattern.nextRuns(count, new Date(after)).map(date => isoInstant(date.getTime()))
  }
}

function patternOf(cron: string, timezone: string): Cron {
  // The library takes a date as a schedule too, which would be due once.
  if (!/^\s*@|\s/.test(cron)) throw refusal(cron, `is not a cron expression: ${FORMS}`)
  try {
    return new Cron(cron, { paused: true, timezone, mode: '5-or-6-parts', fixedTimeRule: 'no-wildcard' })
  } catch (error) {
    throw refusal(cron, `is not a cron expression (${reasonOf(error)}): ${FORMS}`)
  }
}

/** The library's reason without its prefix. It repeats parts of the expression, which holds no control characters. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : ''
  return text
    .replace(/^CronPattern: /, '')
    .replace(/\.$/, '')
    .slice(0, 200)
}

function refusal(cron: string, message: string): Problem {
  return new Problem('invalid_input', `Schedule ${echo(cron)} ${message}`, {
    details: [{ path: 'schedule', message: message.charAt(0).toUpperCase() + message.slice(1) }],
  })
}
