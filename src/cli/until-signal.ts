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

function endAtOnce(signal: NodeJS.Signals): void {
  // 128 and the signal's number, as shells report it.
  process.exit(signal === 'SIGINT' ? 130 : 143)
}
