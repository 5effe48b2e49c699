// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The cheatcodes of Hardhat's Solidity test runner that these tests use
/// @dev Hardhat's runner answers them at the address of `VM_ADDRESS`; a name or argument list it
/// does not know reverts. Add a declaration here rather than calling the address by hand.
interface Vm {
    /// @dev One recorded log; `topics[0]` is the event's signature hash.
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    /// @dev What one account did to another, see {startStateDiffRecording}.
    enum AccountAccessKind {
        Call,
        DelegateCall,
        CallCode,
        StaticCall,
        Create,
        SelfDestruct,
        Resume,
        Balance,
        Extcodesize,
        Extcodehash,
        Extcodecopy
    }

    struct ChainInfo {
        uint256 forkId;
        uint256 chainId;
    }

    struct StorageAccess {
        address account;
        bytes32 slot;
        bool isWrite;
        bytes32 previousValue;
        bytes32 newValue;
        bool reverted;
    }

    struct AccountAccess {
        ChainInfo chainInfo;
        AccountAccessKind kind;
        address account;
        address accessor;
        bool initialized;
        uint256 oldBalance;
        uint256 newBalance;
        bytes deployedCode;
        uint256 value;
        bytes data;
        bool reverted;
        StorageAccess[] storageAccesses;
        uint64 depth;
    }

    /* CALLER */

    /// @notice The next call, and only that, comes from `sender`. Reading a getter for its argument
    /// is a call too.
    function prank(address sender) external;

    /// @notice As `prank(sender)`, with `tx.origin` as well.
    function prank(address sender, address origin) external;

    /// @notice Every call up to `stopPrank` comes from `sender`.
    function startPrank(address sender) external;

    function stopPrank() external;

    /* EXPECTATIONS */

    /// @notice The next call must revert, for any reason. Name the reason where there is one.
    function expectRevert() external;

    /// @notice The next call must revert with an error of this selector and without arguments.
    function expectRevert(bytes4 selector) external;

    /// @notice The next call must revert with exactly this: a revert string's text, or an encoded
    /// error with arguments.
    function expectRevert(bytes calldata revertData) external;

    /// @notice As `expectRevert(bytes)`; the call that reverted first must have been one to
    /// `reverter`.
    function expectRevert(bytes calldata revertData, address reverter) external;

    /// @notice The next call must emit, from `emitter`, the event that the test emits after this
    /// line.
    function expectEmit(bool checkTopic1, bool checkTopic2, bool checkTopic3, bool checkData, address emitter) external;

    /// @notice As above with everything checked.
    function expectEmit(address emitter) external;

    /// @notice The next call must call `callee` with data that begins with this.
    function expectCall(address callee, bytes calldata data) external;

    /// @notice Leaves out a fuzz run whose inputs do not fit; prefer `bound`.
    function assume(bool condition) external pure;

    /* CHAIN */

    /// @notice Sets `block.timestamp`, in unix seconds.
    function warp(uint256 timestamp) external;

    /// @notice Sets `block.number`.
    function roll(uint256 blockNumber) external;

    function chainId(uint256 newChainId) external;

    /// @notice The current timestamp; after a `warp` the optimizer may still use an older
    /// `block.timestamp`.
    function getBlockTimestamp() external view returns (uint256 timestamp);

    /// @notice The current block number; after a `roll` the optimizer may still use an older
    /// `block.number`.
    function getBlockNumber() external view returns (uint256 height);

    function snapshotState() external returns (uint256 snapshotId);

    function revertToState(uint256 snapshotId) external returns (bool success);

    /* ACCOUNTS */

    function deal(address account, uint256 balance) external;

    function etch(address account, bytes calldata runtimeCode) external;

    function load(address account, bytes32 slot) external view returns (bytes32 value);

    function store(address account, bytes32 slot, bytes32 value) external;

    /// @notice The nonce of an account: of a contract, which of its deployments comes next.
    function getNonce(address account) external view returns (uint64 nonce);

    /// @notice Where `deployer` deploys at that nonce.
    function computeCreateAddress(address deployer, uint256 nonce) external pure returns (address deployed);

    function label(address account, string calldata name) external;

    function addr(uint256 privateKey) external pure returns (address account);

    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);

    /* ARTIFACTS */

    /// @notice The creation code of one of the project's contracts, found by its name.
    function getCode(string calldata contractName) external view returns (bytes memory creationCode);

    /* LOGS */

    /// @notice Starts to record all logs.
    function recordLogs() external;

    /// @notice What was recorded since the last call. It empties the record: read it once into a
    /// variable.
    function getRecordedLogs() external returns (Log[] memory logs);

    /// @notice Starts to record every call, creation and storage access.
    function startStateDiffRecording() external;

    /// @notice What was recorded since.
    function stopAndReturnStateDiff() external returns (AccountAccess[] memory accesses);

    /* ASSERTIONS */

    function assertEq(bool left, bool right, string calldata reason) external pure;

    function assertEq(uint256 left, uint256 right, string calldata reason) external pure;

    function assertEq(int256 left, int256 right, string calldata reason) external pure;

    function assertEq(address left, address right, string calldata reason) external pure;

    function assertEq(bytes32 left, bytes32 right, string calldata reason) external pure;

    function assertEq(string calldata left, string calldata right, string calldata reason) external pure;

    function assertEq(bytes calldata left, bytes calldata right, string calldata reason) external pure;

    function assertEq(bool[] calldata left, bool[] calldata right, string calldata reason) external pure;

    function assertEq(uint256[] calldata left, uint256[] calldata right, string calldata reason) external pure;

    function assertEq(int256[] calldata left, int256[] calldata right, string calldata reason) external pure;

    function assertEq(address[] calldata left, address[] calldata right, string calldata reason) external pure;

    function assertEq(bytes32[] calldata left, bytes32[] calldata right, string calldata reason) external pure;

    function assertEq(string[] calldata left, string[] calldata right, string calldata reason) external pure;

    function assertNotEq(uint256 left, uint256 right, string calldata reason) external pure;

    function assertNotEq(address left, address right, string calldata reason) external pure;

    function assertNotEq(bytes32 left, bytes32 right, string calldata reason) external pure;

    function assertLt(uint256 left, uint256 right, string calldata reason) external pure;

    function assertLe(uint256 left, uint256 right, string calldata reason) external pure;

    function assertGt(uint256 left, uint256 right, string calldata reason) external pure;

    function assertGe(uint256 left, uint256 right, string calldata reason) external pure;
}

/// @dev Where Hardhat's runner answers the cheatcodes.
address constant VM_ADDRESS = address(uint160(uint256(keccak256("hevm cheat code"))));
