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
  said: {
    readonly [Key in keyof DeclaredIdentity]?: DeclaredIdentity[Key] | undefined;
  },
): DeclaredIdentity {
  return {
    bio: said.bio ?? null,
    category: said.category ?? null,
    tags: said.tags ?? [],
    modelFamily: said.modelFamily ?? null,
    contacts: said.contacts ?? [],
  };
}
