// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/* What people sign, as an ERC-7739 wallet reads it: EIP-712 types, and after a type with a nested one its name. */

string constant REGISTRATION =
    "Registration(string name,uint8 agentType,address owner,address operator,bytes32 soulHash,"
    "bytes32 soulMerkleRoot,bytes32 contentHash,bool bindPassport,uint256 passportId,string agentURI,"
    "uint256 parentTokenId,uint256 organizationId,bool seal,address humanVerifier,bytes32 humanProofHash,"
    "uint256 nonce,uint256 deadline)";
string constant REGISTRATION_BATCH =
    "BatchEntry(string name,uint8 agentType,address operator,bytes32 soulHash,bytes32 soulMerkleRoot,"
    "bytes32 contentHash)"
    "RegistrationBatch(address owner,uint256 organizationId,bool leaveOutTakenNames,BatchEntry[] entries,uint256 nonce,"
    "uint256 deadline)RegistrationBatch";
string constant SEAL =
    "Seal(uint256 tokenId,uint16 epoch,uint32 version,bytes32 soulHash,bytes32 soulMerkleRoot,bytes32 contentHash,"
    "string agentURI,address humanVerifier,bytes32 humanProofHash,uint256 nonce,uint256 deadline)";
string constant RECORD_EVOLUTION =
    "RecordEvolution(uint256 tokenId,uint16 epoch,uint32 version,string category,string changeType,"
    "bytes32 previousSoulHash,bytes32 newSoulHash,bytes32 newSoulMerkleRoot,bytes32 dataHash,string agentURI,"
    "uint256 nonce,uint256 deadline)";
string constant RESEAL =
    "Reseal(uint256 tokenId,uint16 epoch,uint32 version,address newOwner,address operator,uint64 observedBlock,"
    "bytes32 soulHash,bytes32 soulMerkleRoot,bytes32 contentHash,string agentURI,address humanVerifier,"
    "bytes32 humanProofHash,uint256 nonce,uint256 deadline)";
string constant RELEASE =
    "Release(uint256 tokenId,uint16 epoch,uint32 version,address newOwner,uint64 observedBlock,uint256 nonce,"
    "uint256 deadline)";
string constant BURN =
    "Burn(uint256 tokenId,uint16 epoch,uint32 version,bytes32 reasonHash,uint256 nonce,uint256 deadline)";
string constant SUSPEND = "Suspend(uint256 tokenId,uint16 epoch,uint32 version,uint256 nonce,uint256 deadline)";
string constant SET_DID_ARCHIVE =
    "SetDidArchive(uint256 tokenId,uint16 epoch,uint32 version,bytes32 previousArchiveId,bytes32 archiveId,"
    "uint256 nonce,uint256 deadline)";

string constant PAYMENT =
    "Payment(uint256 tokenId,uint16 epoch,uint16 allowanceVersion,address operator,address recipient,uint256 amount,"
    "bytes32 paymentRef,bytes32 termsHash,address redeemer,uint256 nonce,uint256 deadline)";
string constant SET_ALLOWANCE =
    "SetAllowance(uint256 tokenId,uint16 epoch,uint16 version,uint56 perTransaction,uint56 dailyLimit,"
    "uint32 validUntil,bool onlyWithAgentWallet,uint256 nonce,uint256 deadline)";
string constant DEACTIVATE_ALLOWANCE =
    "DeactivateAllowance(uint256 tokenId,uint16 epoch,uint16 version,uint256 nonce,uint256 deadline)";
string constant SET_AGENT_KEYS =
    "SetAgentKeys(uint256 tokenId,uint16 epoch,uint32 version,bytes32 keysHash,bytes32 archiveId,"
    "bool onlyWithAgentWallet,uint256 nonce,uint256 deadline)";
string constant AGENT_WALLET_SET = "AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)";

string constant CREATE_ORGANIZATION = "CreateOrganization(string name,address admin,uint256 nonce,uint256 deadline)";
string constant JOIN =
    "Join(uint256 tokenId,uint16 epoch,uint256 organizationId,uint32 version,uint256 nonce,uint256 deadline)";
string constant ADMISSION =
    "Admission(uint256 tokenId,uint16 epoch,uint256 organizationId,uint32 version,uint256 nonce,uint256 deadline)";
string constant LEAVE =
    "Leave(uint256 tokenId,uint16 epoch,uint256 organizationId,uint32 version,uint256 nonce,uint256 deadline)";
string constant CHANGE_ADMIN =
    "ChangeAdmin(uint256 organizationId,address newAdmin,uint32 version,uint256 nonce,uint256 deadline)";
string constant ACCEPT_ADMIN =
    "AcceptAdmin(uint256 organizationId,address newAdmin,uint32 version,uint256 nonce,uint256 deadline)";
string constant ADMIT = "Admit(bytes32 registrationDigest,uint256 organizationId,uint256 nonce,uint256 deadline)";
