export interface PlannedArgument {
  readonly name: string;
  readonly type: string;
  /** The value as text; `<soulRegistry>` stands for a contract whose address is not known yet. */
  readonly value: string;
}

/** An account that receives a role from a constructor. */
export interface PlannedRole {
  /** The name of the constant in the contract, such as REGISTRAR_ROLE. */
  readonly role: string;
  readonly holder: string;
  /**
   * given: by the command line or the parameter file; registrar: no account was named, so the
   * registrar's takes it.
   */
  readonly source: "given" | "registrar";
}

export interface PlannedContract {
  /** Its name in the deployment file. */
  readonly key: string;
  readonly contractName: string;
  /** deploy: by this deployment; use: already on the chain. */
  readonly action: "deploy" | "use";
  /** Its address as text; `<key>` when it follows from a deployer who is not known yet. */
  readonly address: string;
  readonly arguments: readonly PlannedArgument[];
  readonly roles: readonly PlannedRole[];
}

export const isDeployed = ({ action }: PlannedContract): boolean => action === "deploy";
