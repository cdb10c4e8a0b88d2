import { importRules } from '#scripts/boundaries/import-rules.ts'

// Apart from the other rules, which editors read from .oxlintrc.json: these are made of lists.
export default importRules(import.meta.dirname)
