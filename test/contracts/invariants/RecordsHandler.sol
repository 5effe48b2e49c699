// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AlignmentRegistry} from "../../../contracts/AlignmentRegistry.sol";
import {BindingRegistry} from "../../../contracts/BindingRegistry.sol";
import {ChronicleAnchor} from "../../../contracts/ChronicleAnchor.sol";
import {IAlignmentRegistry} from "../../../contracts/interfaces/IAlignmentRegistry.sol";
import {IBindingRegistry} from "../../../contracts/interfaces/IBindingRegistry.sol";
import {OrganizationsHandler} from "./OrganizationsHandler.sol";

/// @dev What no call may ever record, or refuse to.
enum RecordRule {
    BOUND_WITHOUT_RIGHT,
    RIGHT_BINDING_REFUSED,
    ANCHORED_OUT_OF_ORDER
}

/// @dev Records bindings, scores and roots, in order and out of order, by those who may and by
/// others.
abstract contract RecordsHandler is OrganizationsHandler {
    AlignmentRegistry public immutable ALIGNMENTS;
    BindingRegistry public immutable BINDINGS;
    ChronicleAnchor public immutable ANCHORS;

    struct Score {
        uint8 score;
        uint16 epoch;
    }

    /// A pair of agents, and the record that the registry should have of it.
    struct Bond {
        uint256 from;
        uint256 to;
        IBindingRegistry.Binding record;
    }

    mapping(RecordRule rule => uint256) public brokenRecords;
    mapping(uint256 tokenId => Score) public scores;
    bytes32[] public roots;
    Bond[] private bonds;
    mapping(bytes32 pair => uint256 indexPlusOne) private indexOfBond;

    constructor() {
        ALIGNMENTS = AlignmentRegistry(deploy("AlignmentRegistry", abi.encode(souls, admin, registrar, ADMIN_DELAY)));
        BINDINGS = BindingRegistry(deploy("BindingRegistry", abi.encode(souls, admin, registrar, ADMIN_DELAY)));
        ANCHORS = ChronicleAnchor(deploy("ChronicleAnchor", abi.encode(admin, registrar, ADMIN_DELAY)));
    }

    function bondCount() external view returns (uint256) {
        return bonds.length;
    }

    function bondAt(uint256 index) external view returns (Bond memory) {
        return bonds[index];
    }

    function rootCount() external view returns (uint256) {
        return roots.length;
    }

    /* ACTIONS */

    function keepRecords() internal override {
        uint256 side = draw(10);
        if (side < 6) bind();
        else if (side < 7) recordAlignment();
        else anchor();
    }

    /// @dev The owner writes, or the service: often about a pair that is bound.
    function bind() private {
        (uint256 from, uint256 to) = (anyLive(), anyLive());
        for (uint256 i = 0; i < 4 && bonds.length != 0 && draw(4) != 0; ++i) {
            Bond storage known = bonds[draw(bonds.length)];
            (from, to) = (known.from, known.to);
            if (isLive(from)) break;
        }
        uint256 index = indexOfBond[keccak256(abi.encode(from, to))];
        IBindingRegistry.Binding memory record;
        if (index != 0) record = bonds[index - 1].record;
        IBindingRegistry.SetBinding memory words = IBindingRegistry.SetBinding({
            fromTokenId: from,
            epoch: stale(ghosts[from].epoch),
            toTokenId: to,
            toEpoch: stale(ghosts[to].epoch),
            trustLevel: IBindingRegistry.TrustLevel(draw(3) == 0 ? 1 : draw(5)),
            context: "",
            version: 0,
            nonce: 0,
            deadline: 0
        });
        if (draw(2) == 0) bindAsService(words, record);
        else bindAsOwner(words, record);
    }

    function bindAsOwner(IBindingRegistry.SetBinding memory words, IBindingRegistry.Binding memory record) private {
        words.version = record.version;
        if (draw(10) == 0) ++words.version;
        Ghost storage ghost = ghosts[words.fromTokenId];
        address caller = draw(8) == 0 ? people[draw(PEOPLE)] : ghost.sealer;
        bool mayBind = caller == ghost.sealer && words.version == record.version;
        // A sale or the end of the trusted agent stops no revocation.
        bool revokes = words.trustLevel == IBindingRegistry.TrustLevel.REVOKED;
        bool expected = mayBind && fits(words, revokes);
        bytes memory data = abi.encodeCall(BINDINGS.setBinding, (words, ""));
        (bool success, ) = run("setBinding", caller, address(BINDINGS), data);
        ++record.version;
        judge(success, expected, words, record, IBindingRegistry.Authority.OWNER);
    }

    function bindAsService(IBindingRegistry.SetBinding memory words, IBindingRegistry.Binding memory record) private {
        uint32 version = draw(10) == 0 ? record.serviceVersion + 1 : record.serviceVersion;
        address caller = draw(8) == 0 ? people[draw(PEOPLE)] : registrar;
        bool ownersStands =
            record.authority == IBindingRegistry.Authority.OWNER && record.epoch == ghosts[words.fromTokenId].epoch;
        bool mayBind = caller == registrar && version == record.serviceVersion && !ownersStands;
        bool expected = mayBind && fits(words, false);
        bytes memory data = abi.encodeCall(
            BINDINGS.setServiceBinding,
            (words.fromTokenId, words.epoch, words.toTokenId, words.toEpoch, words.trustLevel, "", version)
        );
        (bool success, ) = run("setServiceBinding", caller, address(BINDINGS), data);
        ++record.serviceVersion;
        judge(success, expected, words, record, IBindingRegistry.Authority.SERVICE);
    }

    function fits(IBindingRegistry.SetBinding memory words, bool anyEpochOfOther) private view returns (bool) {
        return
            isLive(words.fromTokenId) &&
            words.epoch == ghosts[words.fromTokenId].epoch &&
            words.fromTokenId != words.toTokenId &&
            words.trustLevel != IBindingRegistry.TrustLevel.NONE &&
            (anyEpochOfOther || words.toEpoch == ghosts[words.toTokenId].epoch);
    }

    /// @dev `record` is the one that a success leaves, but for what it takes from `words`.
    function judge(
        bool success,
        bool expected,
        IBindingRegistry.SetBinding memory words,
        IBindingRegistry.Binding memory record,
        IBindingRegistry.Authority authority
    ) private {
        if (success && !expected) ++brokenRecords[RecordRule.BOUND_WITHOUT_RIGHT];
        if (!success && expected) ++brokenRecords[RecordRule.RIGHT_BINDING_REFUSED];
        if (!success) return;
        (record.trustLevel, record.authority) = (words.trustLevel, authority);
        (record.epoch, record.toEpoch) = (ghosts[words.fromTokenId].epoch, ghosts[words.toTokenId].epoch);
        record.contextHash = keccak256("");
        bytes32 pair = keccak256(abi.encode(words.fromTokenId, words.toTokenId));
        if (indexOfBond[pair] == 0) {
            bonds.push();
            indexOfBond[pair] = bonds.length;
        }
        Bond storage bond = bonds[indexOfBond[pair] - 1];
        (bond.from, bond.to, bond.record) = (words.fromTokenId, words.toTokenId, record);
    }

    function recordAlignment() private {
        IAlignmentRegistry.AlignmentRecord[] memory records = new IAlignmentRegistry.AlignmentRecord[](1);
        uint256 tokenId = anyToken();
        uint8 score = uint8(1 + draw(100));
        uint16 epoch = ghosts[tokenId].epoch;
        records[0] = IAlignmentRegistry.AlignmentRecord(tokenId, epoch, score, ARCHIVE, uint64(vm.getBlockNumber()));
        bytes memory data = abi.encodeCall(ALIGNMENTS.recordAlignment, (records));
        (bool success, ) = run("recordAlignment", registrar, address(ALIGNMENTS), data);
        if (success) scores[tokenId] = Score(score, epoch);
    }

    /// @dev The next root, or one that is out of order, or without the last one.
    function anchor() private {
        uint256 batchId = draw(4) == 0 ? draw(roots.length + 3) : roots.length + 1;
        bytes32 root = draw(8) == 0 ? bytes32(0) : keccak256(abi.encode("root", draw(1 << 20)));
        bytes32 last = roots.length == 0 ? bytes32(0) : roots[roots.length - 1];
        bytes32 previous = draw(4) == 0 ? keccak256("another root") : last;
        address caller = draw(8) == 0 ? people[draw(PEOPLE)] : registrar;
        bool expected = batchId == roots.length + 1 && root != 0 && previous == last && caller == registrar;
        bytes memory data = abi.encodeCall(ANCHORS.anchor, (batchId, root, previous, 1, ARCHIVE));
        (bool success, ) = run("anchor", caller, address(ANCHORS), data);
        if (success != expected) ++brokenRecords[RecordRule.ANCHORED_OUT_OF_ORDER];
        if (success) roots.push(root);
    }

    /// @dev Sometimes the epoch before, or none.
    function stale(uint16 epoch) private returns (uint16) {
        return epoch != 0 && draw(5) == 0 ? epoch - 1 : epoch;
    }
}
