; What may be spent on a day. Amounts have any of 256 bits. Days are any two: time may also be before the stored day.
; any function: AllowanceVault.dayOf

(declare-const call Call)
(declare-const s Storage)
(declare-const tokenId Word)
(declare-const hasOwner Word)
(declare-const operator Word)
(declare-const inEpoch Word)
(declare-const amount Word)
(declare-const owner Word)
(declare-const recipient Word)
(declare-const reference Word)
(declare-const digest Word)
(declare-const elsewhere Word)
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
(assert (bvult inEpoch (_ bv65536 256)))
; What counts today of what is stored, in whichever epoch and in this one.
(define-fun onDay ((s Storage)) Word (ite (= (day s) today) (spent s) (_ bv0 256)))
(define-fun counted () Word (ite (= (epoch s) inEpoch) (onDay s) (_ bv0 256)))
; The largest sum that can be stored.
(define-fun most () Word (_ bv72057594037927935 256))
; Whether a + b is at most c, without wrapping around.
(define-fun within ((a Word) (b Word) (c Word)) Bool (and (bvule a c) (bvule b (bvsub c a))))
; run assess: AllowanceVault._assess(call, s, record, tokenId, hasOwner, operator, inEpoch, amount)
; run pay: AllowanceVault._pay(call, s, tokenId, owner, inEpoch, operator, recipient, amount, reference, digest)

; claim: the day's sum counts on its day and in its epoch, and is zero in all others
(assert (not assess.reverts))
(check-sat)
(assert (not (= assess.spent counted)))
(check-sat)

; claim: no value of any member or amount makes the sum overflow or the reading fail
(assert (= (onlyWithAgentWallet s) (_ bv0 256)))
(check-sat)
(assert (not (not assess.reverts)))
(check-sat)

; claim: what remains and what was spent are together the limit, or nothing remains
(assert (not assess.reverts))
(check-sat)
(assert (not (or (= assess.remaining (_ bv0 256))
  (and (bvule counted (dailyLimit s)) (= assess.remaining (bvsub (dailyLimit s) counted))))))
(check-sat)

; claim: an amount is allowed only within both limits, in time, in its epoch and with an owner
(assert (bvugt amount (_ bv0 256)))
(assert (not assess.reverts))
(assert (= assess.reason (_ bv0 256)))
(check-sat)
(assert (not (and
  (bvule amount (perTransaction s))
  (within counted amount (dailyLimit s))
  (= (epoch s) inEpoch)
  (bvule (timestamp call) (validUntil s))
  (distinct hasOwner (_ bv0 256)))))
(check-sat)

; claim: an amount within both limits is allowed, also exactly at them
(assert (bvule amount (perTransaction s)))
(assert (within counted amount (dailyLimit s)))
(assert (= (epoch s) inEpoch))
(assert (bvule (timestamp call) (validUntil s)))
(assert (= hasOwner (_ bv1 256)))
(assert (= (onlyWithAgentWallet s) (_ bv0 256)))
(check-sat)
(assert (not (= assess.reason (_ bv0 256))))
(check-sat)

; claim: a payment on the stored day is added to its sum
(assert (not pay.reverts))
(assert (= (day s) today))
(check-sat)
(assert (not (= (spent pay.storage) (bvadd (spent s) amount))))
(check-sat)

; claim: a payment on another day, later or earlier, starts the sum at zero
(assert (not pay.reverts))
(assert (distinct (day s) today))
(check-sat)
(assert (not (= (spent pay.storage) amount)))
(check-sat)

; claim: after a payment the day's sum is at most the daily limit and at least the payment
(assert (not pay.reverts))
(check-sat)
(assert (not (and (bvule (spent pay.storage) (dailyLimit s)) (bvuge (spent pay.storage) amount) (bvugt amount (_ bv0 256)))))
(check-sat)

; claim: a payment of any amount over what remains is refused
(assert (not (within counted amount (dailyLimit s))))
(check-sat)
(assert (not pay.reverts))
(check-sat)

; claim: a payment writes the day and changes no other member
(assert (not pay.reverts))
(check-sat)
(assert (not (and
  (= (day pay.storage) today)
  (= (perTransaction pay.storage) (perTransaction s))
  (= (dailyLimit pay.storage) (dailyLimit s))
  (= (epoch pay.storage) (epoch s))
  (= (version pay.storage) (version s))
  (= (validUntil pay.storage) (validUntil s))
  (= (onlyWithAgentWallet pay.storage) (onlyWithAgentWallet s)))))
(check-sat)

; claim: a payment writes no other word
(assert (not pay.reverts))
(assert (distinct elsewhere record))
(check-sat)
(assert (not (= (select pay.storage elsewhere) (select s elsewhere))))
(check-sat)

; run try: AllowanceVault.trySpend(call, s, tokenId, recipient, amount, reference)

; claim: an attempt that is refused leaves the day's sum and all other members as they were
(assert (not try.reverts))
(assert (distinct try.reason (_ bv0 256)))
(check-sat)
(assert (not (and
  (= (onDay try.storage) (onDay s))
  (= (perTransaction try.storage) (perTransaction s))
  (= (dailyLimit try.storage) (dailyLimit s))
  (= (epoch try.storage) (epoch s))
  (= (version try.storage) (version s))
  (= (validUntil try.storage) (validUntil s))
  (= (onlyWithAgentWallet try.storage) (onlyWithAgentWallet s)))))
(check-sat)

; claim: an attempt that pays is added to the day's sum, within the limit
(assert (not try.reverts))
(assert (= try.reason (_ bv0 256)))
(check-sat)
(assert (not (and
  (= (spent try.storage) (bvadd (onDay s) amount))
  (within (onDay s) amount (dailyLimit s))
  (= (day try.storage) today))))
(check-sat)

; run report: AllowanceVault.report(call, s, tokenId, recipient, amount, reference)

; claim: a report adds to the day's sum, and stops at the largest one instead of wrapping
(assert (not report.reverts))
(assert (= (epoch report.storage) inEpoch))
(check-sat)
(assert (not (and
  (= (day report.storage) today)
  (= (spent report.storage) (ite (and (bvule amount most) (bvule (bvadd counted amount) most)) (bvadd counted amount) most)))))
(check-sat)
