export function evaluatorFingerprint(): Promise<string>
