/** What node_modules holds compared with package-lock.json; null: missing, half-done or out of date. */
export function installedAs(folder: string): 'all' | 'runtime' | null
