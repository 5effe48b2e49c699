// Names of the contracts' enums by their values on chain. The emitting contracts cannot be
// upgraded, so no other value can occur.

/** Which authority set a binding: IBindingRegistry.Authority. */
export const AUTHORITIES = ["NONE", "SERVICE", "OWNER"] as const;

/** Whether a soul may be relied on: ISoulRegistry.Validity. */
export const VALIDITIES = ["not_linked", "suspended", "valid"] as const;

/** The name of an enum's value. */
export function nameOf<const Name extends string>(names: readonly Name[], value: number): Name {
  const name = names[value];
  if (name === undefined) throw new Error(`An event holds the unknown enum value ${value}.`);
  return name;
}
