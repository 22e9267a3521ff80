/** Resolves at the first SIGTERM or SIGINT. A second one ends the process at once: whoever sends it won't wait. */
export function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise(resolve => {
    const listen = (signal: NodeJS.Signals): void => {
      process.on('SIGTERM', endAtOnce)
      process.on('SIGINT', endAtOnce)
      process.removeListener('SIGTERM', listen)
      process.removeListener('SIGINT', listen)
      resolve(signal)
    }
    process.on('SIGTERM', listen)
    process.on('SIGINT', listen)
  })
}

let interruptedBy: NodeJS.Signals | undefined

/**
 * Resolves when a command is to end before it has done its work. A command that then fails ends with the signal's code;
 * one that was done all the same ends as it would have.
 */
export async function untilInterrupted(): Promise<void> {
  interruptedBy = await untilSignal()
}

/** What a command ends with that did not do its work because of a signal; undefined when there was none. */
export function interruptedCode(): number | undefined {
  return interruptedBy && codeOf(interruptedBy)
}

function endAtOnce(signal: NodeJS.Signals): void {
  process.exit(codeOf(signal))
}

/** 128 and the signal's number, as shells report it. */
const codeOf = (signal: NodeJS.Signals): number => (signal === 'SIGINT' ? 130 : 143)
