; The one word of an allowance: packing, ranges, versions.
; any function: AllowanceVault.dayOf
; any function: AllowanceVault._authorizeOrCaller

(declare-const call Call)
(declare-const s Storage)
(declare-const elsewhere Word)
; What the owner signed: where it is in the transaction, and its members in the order of the struct.
(declare-const signed Word)
(declare-const signature Word)
(declare-const length Word)
(define-fun member ((index Word)) Word (calldataload call (bvadd signed (bvmul index (_ bv32 256)))))
(define-fun tokenId () Word (member (_ bv0 256)))
(define-fun record () Word (mapping AllowanceVault._records tokenId))
(define-fun perTransaction ((s Storage)) Word (AllowanceVault.Record.perTransaction s record))
(define-fun dailyLimit ((s Storage)) Word (AllowanceVault.Record.dailyLimit s record))
(define-fun spent ((s Storage)) Word (AllowanceVault.Record.spent s record))
(define-fun day ((s Storage)) Word (AllowanceVault.Record.day s record))
(define-fun epoch ((s Storage)) Word (AllowanceVault.Record.epoch s record))
(define-fun version ((s Storage)) Word (AllowanceVault.Record.version s record))
(define-fun validUntil ((s Storage)) Word (AllowanceVault.Record.validUntil s record))
(define-fun onlyWithAgentWallet ((s Storage)) Word (AllowanceVault.Record.onlyWithAgentWallet s record))
(define-fun today () Word (AllowanceVault.dayOf (timestamp call)))
(assert (bvult today (_ bv65536 256)))
; run set: AllowanceVault._setAllowance(call, s, signed, signature, length)
; run end: AllowanceVault.deactivate(call, s, signed, signature, length)

; claim: the members fill the word: they share no bit, and no bit is left
(check-sat)
(assert (not (= (select s record)
  (bvor
    (AllowanceVault.Record.perTransaction s record)
    (bvshl (AllowanceVault.Record.dailyLimit s record) (_ bv56 256))
    (bvshl (AllowanceVault.Record.spent s record) (_ bv112 256))
    (bvshl (AllowanceVault.Record.day s record) (_ bv168 256))
    (bvshl (AllowanceVault.Record.epoch s record) (_ bv184 256))
    (bvshl (AllowanceVault.Record.version s record) (_ bv200 256))
    (bvshl (AllowanceVault.Record.validUntil s record) (_ bv216 256))
    (bvshl (AllowanceVault.Record.onlyWithAgentWallet s record) (_ bv248 256))))))
(check-sat)

; claim: an allowance is kept as it was signed
(assert (not set.reverts))
(check-sat)
(assert (not (and
  (= (epoch set.storage) (member (_ bv1 256)))
  (= (perTransaction set.storage) (member (_ bv3 256)))
  (= (dailyLimit set.storage) (member (_ bv4 256)))
  (= (validUntil set.storage) (member (_ bv5 256)))
  (= (onlyWithAgentWallet set.storage) (member (_ bv6 256))))))
(check-sat)

; claim: a value that does not fit is refused
(assert (not (and (bvult (member (_ bv1 256)) (_ bv65536 256)) (bvult (member (_ bv2 256)) (_ bv65536 256)) (bvult (member (_ bv3 256)) (_ bv72057594037927936 256)) (bvult (member (_ bv4 256)) (_ bv72057594037927936 256)) (bvult (member (_ bv5 256)) (_ bv4294967296 256)) (bvult (member (_ bv6 256)) (_ bv2 256)))))
(check-sat)
(assert (not set.reverts))
(check-sat)

; claim: setting an allowance keeps the day's sum of the same epoch and clears that of another
(assert (not set.reverts))
(check-sat)
(assert (not (ite (= (epoch s) (member (_ bv1 256)))
  (and (= (spent set.storage) (spent s)) (= (day set.storage) (day s)))
  (and (= (spent set.storage) (_ bv0 256)) (= (day set.storage) (_ bv0 256))))))
(check-sat)

; claim: setting an allowance writes no other word
(assert (not set.reverts))
(assert (distinct elsewhere record))
(check-sat)
(assert (not (= (select set.storage elsewhere) (select s elsewhere))))
(check-sat)

; claim: setting an allowance adds one to the version that was signed, up to 65,534
(assert (not set.reverts))
(check-sat)
(assert (not (and
  (= (member (_ bv2 256)) (ite (= (epoch s) (member (_ bv1 256))) (version s) (_ bv0 256)))
  (= (version set.storage) (bvadd (member (_ bv2 256)) (_ bv1 256)))
  (bvule (version set.storage) (_ bv65534 256)))))
(check-sat)

; claim: deactivation adds one to the version, ends the allowance and changes nothing else
(assert (not end.reverts))
(check-sat)
(assert (not (and
  (= (version end.storage) (bvadd (version s) (_ bv1 256)))
  (bvugt (version end.storage) (version s))
  (= (validUntil end.storage) (_ bv0 256))
  (= (perTransaction end.storage) (perTransaction s))
  (= (dailyLimit end.storage) (dailyLimit s))
  (= (spent end.storage) (spent s))
  (= (day end.storage) (day s))
  (= (epoch end.storage) (epoch s))
  (= (onlyWithAgentWallet end.storage) (onlyWithAgentWallet s)))))
(check-sat)

; claim: deactivation writes no other word
(assert (not end.reverts))
(assert (distinct elsewhere record))
(check-sat)
(assert (not (= (select end.storage elsewhere) (select s elsewhere))))
(check-sat)

(declare-const amount Word)
; run write: AllowanceVault._write(call, s, record, amount)

; claim: a new sum changes the sum and the day, and nothing else
(assert (bvult amount (_ bv72057594037927936 256)))
(check-sat)
(assert (not (and
  (not write.reverts)
  (= (spent write.storage) amount)
  (= (day write.storage) today)
  (= (perTransaction write.storage) (perTransaction s))
  (= (dailyLimit write.storage) (dailyLimit s))
  (= (epoch write.storage) (epoch s))
  (= (version write.storage) (version s))
  (= (validUntil write.storage) (validUntil s))
  (= (onlyWithAgentWallet write.storage) (onlyWithAgentWallet s)))))
(check-sat)

; The last version is never that of an active allowance. It holds for a record that was never written: all zero.
(define-fun canEnd ((s Storage)) Bool (=> (= (version s) (_ bv65535 256)) (= (validUntil s) (_ bv0 256))))
(declare-const owner Word)
(declare-const inEpoch Word)
(declare-const operator Word)
(declare-const recipient Word)
(declare-const reference Word)
(declare-const digest Word)
; run pay: AllowanceVault._pay(call, s, tokenId, owner, inEpoch, operator, recipient, amount, reference, digest)
; run try: AllowanceVault.trySpend(call, s, tokenId, recipient, amount, reference)
; run report: AllowanceVault.report(call, s, tokenId, recipient, amount, reference)

; claim: an active allowance keeps a version for its deactivation: set anew
(assert (canEnd s))
(assert (not set.reverts))
(check-sat)
(assert (not (canEnd set.storage)))
(check-sat)

; claim: an active allowance keeps a version for its deactivation: deactivated
(assert (canEnd s))
(assert (not end.reverts))
(check-sat)
(assert (not (canEnd end.storage)))
(check-sat)

; claim: an active allowance keeps a version for its deactivation: after a payment
(assert (canEnd s))
(assert (not pay.reverts))
(check-sat)
(assert (not (canEnd pay.storage)))
(check-sat)

; claim: an active allowance keeps a version for its deactivation: after an attempt
(assert (canEnd s))
(assert (not try.reverts))
(check-sat)
(assert (not (canEnd try.storage)))
(check-sat)

; claim: an active allowance keeps a version for its deactivation: after a report
(assert (canEnd s))
(assert (not report.reverts))
(check-sat)
(assert (not (canEnd report.storage)))
(check-sat)
