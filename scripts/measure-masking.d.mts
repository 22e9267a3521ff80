export interface LabelledDialogue {
  readonly turns: readonly { readonly actor: 'agent' | 'customer'; readonly text: string }[]
  readonly heldOut: boolean
}

export interface MaskingTally {
  /** Places labelled as this kind, and those of them that are masked whole, as whatever. */
  readonly labelled: number
  readonly masked: number
  /** Masks of this kind, and those of them that touch nothing labelled. */
  readonly masks: number
  readonly wrong: number
}

export function readDialogues(file: string | URL): readonly LabelledDialogue[]
export function measureMasking(
  dialogues: readonly LabelledDialogue[],
  redact: (record: Record<string, unknown>) => unknown,
): { readonly kinds: ReadonlyMap<string, MaskingTally>; readonly faults: readonly string[] }
