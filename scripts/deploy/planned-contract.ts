export interface PlannedArgument {
  readonly name: string;
  readonly type: string;
  /** The value as text; `<soulRegistry>` stands for a contract of the same plan. */
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
  /** Its name in the deployment file, or its Ignition id when the file lacks it. */
  readonly key: string;
  readonly contractName: string;
  /**
   * deploy: by this deployment, directly or through a deployer contract; use: already on the chain.
   */
  readonly action: "deploy" | "use";
  /** The contract that creates it; null when a transaction does. */
  readonly createdBy: string | null;
  /** Its address as text; empty before it is deployed. */
  readonly address: string;
  readonly arguments: readonly PlannedArgument[];
  readonly roles: readonly PlannedRole[];
}
