/** What is no request for a manager, in calls of support. */
export const escalationPhrases = {
  not_manager: [
    '(i am|it is|this is|as) (the|a|an) [*] [*] (manager|supervisor|owner|director)',
    '(account|property|relationship|case|project|password|product|fleet) (manager|owner|director)',
    '(home|house|pet|dog|cat|car|registered|policy|business|property|vehicle|previous|new|current|account) (owner|owners|manager)',
    '(level|tier) (two|three|2|3) (charger|charging|plan|package|pricing|car|membership)',
    'i am [the|a] [*] (area|regional|store|branch|general|duty|shift|floor|operations|office) manager',
    '[it is] [*] [|] i am the *',
    '(your|the|his|her) [*] (manager|supervisor|boss) (name|surname|email|number|approval)',
    '(it|that|you|are|cheers|thanks|thank you|okay|alright|right|sure|yes|yeah|no|hello|hi|worries|problem|now|there|welcome|morning|mate) [|] boss',
    '(my|our|his|her) line manager',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>
