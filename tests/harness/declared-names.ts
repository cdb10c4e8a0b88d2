import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type IdentifierName,
  parseSync,
  type Statement,
  type TSInterfaceDeclaration,
  type TSType,
  type TSTypeAliasDeclaration,
  type TSTypeName,
} from 'oxc-parser'

export type Declared = TSInterfaceDeclaration | TSTypeAliasDeclaration
/** Where a type is declared: its file and the enclosing namespaces. */
export type Place = { file: string; path: readonly string[] }
export type Found = { declared: Declared; file: string; name: string; path: readonly string[] }

type Known = {
  names: Map<string, Declared>
  imports: Map<string, { file: string; name: string }>
}

function nameOf(id: { type: string }): string {
  return 'name' in id && typeof id.name === 'string' ? id.name : ''
}

/** A type's name as `A.B.C`. */
export function dotted(name: TSTypeName | IdentifierName): string {
  if (name.type === 'TSQualifiedName') return `${dotted(name.left)}.${name.right.name}`
  return nameOf(name)
}

/** The types that `.d.ts` files declare, found by name as the compiler would find them. */
export class DeclaredNames {
  readonly #files = new Map<string, Known>()

  /** Null when the file neither declares nor imports the name. */
  find(name: string, { file, path }: Place): Found | null {
    const known = this.#read(file)
    for (let depth = path.length; depth >= 0; depth -= 1) {
      const full = [...path.slice(0, depth), name].join('.')
      const declared = known.names.get(full)
      if (declared !== undefined) {
        return { declared, file, name: full, path: full.split('.').slice(0, -1) }
      }
    }
    const [head = '', ...rest] = name.split('.')
    const from = known.imports.get(head)
    return from === undefined
      ? null
      : this.find([from.name, ...rest].join('.'), { file: from.file, path: [] })
  }

  #read(file: string): Known {
    const before = this.#files.get(file)
    if (before !== undefined) return before
    const known: Known = { names: new Map(), imports: new Map() }
    this.#files.set(file, known)
    const { program } = parseSync(file, readFileSync(file, 'utf8'))
    for (const statement of program.body) note(statement, { file, path: [] }, known)
    return known
  }
}

function note(statement: Statement, place: Place, known: Known): void {
  const { path } = place
  const { type } = statement
  if (type === 'ImportDeclaration') noteImports(statement, place, known)
  if (type === 'ExportNamedDeclaration' && statement.declaration !== null) {
    note(statement.declaration, place, known)
  }
  if (type === 'TSInterfaceDeclaration' || type === 'TSTypeAliasDeclaration') {
    known.names.set([...path, statement.id.name].join('.'), statement)
  }
  if (type !== 'TSModuleDeclaration') return
  const inner = { ...place, path: [...path, nameOf(statement.id)] }
  const { body } = statement
  if (body === null || !('body' in body) || !Array.isArray(body.body)) return
  for (const one of body.body) note(one, inner, known)
}

function noteImports(
  statement: Extract<Statement, { type: 'ImportDeclaration' }>,
  { file }: Place,
  known: Known,
): void {
  const source = statement.source.value
  if (!source.startsWith('.')) return
  const target = join(dirname(file), source.replace(/\.js$/, '.d.ts'))
  for (const one of statement.specifiers) {
    if (one.type !== 'ImportSpecifier') continue
    known.imports.set(one.local.name, { file: target, name: nameOf(one.imported) })
  }
}

/** The aliased type, or an interface's members as a type literal. */
export function bodyOf(declared: Declared): TSType {
  if (declared.type === 'TSTypeAliasDeclaration') return declared.typeAnnotation
  const { body, start, end } = declared
  return { type: 'TSTypeLiteral', members: body.body, start, end }
}
