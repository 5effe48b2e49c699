; The counters and reservations of the contracts that write passports.

(declare-const call Call)
(declare-const s Storage)
(declare-const tokenId Word)
(declare-const version Word)
(assert (bvult version (_ bv4294967296 256)))
(define-fun versionIn ((s Storage)) Word
  (bvand (select s (mapping PassportWriter.versionOf tokenId)) (_ bv4294967295 256)))
; run decide: PassportWriter._decide(call, s, tokenId, version)

; claim: an owner's write adds one to the version, and after the last of 32 bits there is none
(assert (not decide.reverts))
(check-sat)
(assert (not (and
  (= (versionIn s) version)
  (= (versionIn decide.storage) (bvadd version (_ bv1 256)))
  (bvult version (_ bv4294967295 256)))))
(check-sat)

(declare-const reservation Word)
(define-fun held () Word (mapping PassportMint._reservations reservation))
(define-fun first () Word (PassportMint.Reservation.firstPassportId s held))
(define-fun size () Word (PassportMint.Reservation.count s held))
; run take: PassportMint._reservedPassport(call, s, reservation, tokenId)

; claim: a token id outside its reservation is refused, and one inside is not
(check-sat)
(assert (not (= take.reverts (not (and (bvule reservation tokenId) (bvult (bvsub tokenId reservation) size))))))
(check-sat)

; claim: reserved passports follow each other as their token ids do
(assert (not take.reverts))
(check-sat)
(assert (not (and (bvuge take.result first) (= (bvsub take.result first) (bvsub tokenId reservation))
  (bvult (bvsub take.result first) size))))
(check-sat)

; claim: the members of a reservation fill their word
(check-sat)
(assert (not (= (select s held) (bvor first (bvshl size (_ bv248 256))))))
(check-sat)
