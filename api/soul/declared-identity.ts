/** An agent's public statements about itself. They are not verified. */
export interface DeclaredIdentity {
  readonly bio: string | null;
  readonly category: string | null;
  readonly tags: readonly string[];
  readonly modelFamily: string | null;
  readonly contacts: readonly { readonly type: string; readonly value: string }[];
}

/** The statements of a registration or of a change. Omitted ones are empty. */
export function declaredIdentity(
  statements: {
    readonly [Key in keyof DeclaredIdentity]?: DeclaredIdentity[Key] | undefined;
  },
): DeclaredIdentity {
  return {
    bio: statements.bio ?? null,
    category: statements.category ?? null,
    tags: statements.tags ?? [],
    modelFamily: statements.modelFamily ?? null,
    contacts: statements.contacts ?? [],
  };
}
