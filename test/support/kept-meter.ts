import type { MeasuredRequest, RequestMeter } from '../../src/metrics/request-meter.js'

/** A meter that keeps what it was told. */
export class KeptMeter implements RequestMeter {
  readonly requests: MeasuredRequest[] = []
  readonly refusals: string[] = []

  answered(request: MeasuredRequest): void {
    this.requests.push(request)
  }

  refused(transport: string, code: string): void {
    this.refusals.push(`${transport} ${code}`)
  }
}
