/** Where deliveries are counted; nothing here names a project or a webhook. */
export interface DeliveryMeter {
  /** retried: it failed and is tried again. dead: it failed and is given up. */
  attempted(result: 'delivered' | 'retried' | 'dead', seconds: number): void
}
