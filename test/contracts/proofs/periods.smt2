; The day of a time: Periods, as AllowanceVault uses it. Times are any of 256 bits that have a next midnight.
; words: integers

(declare-const call Call)
(declare-const s Storage)
(declare-const time Word)
(declare-const later Word)
(define-fun isTime ((t Int)) Bool (and (<= 0 t) (< t 115792089237316195423570985008687907853269984665640564039457584007913129553536)))
(assert (isTime time))
(assert (isTime later))
; run day: AllowanceVault.dayOf(call, s, time)
; run start: AllowanceVault.startOf(call, s, time)
; run end: AllowanceVault.endOf(call, s, time)
; run later-day: AllowanceVault.dayOf(call, s, later)
; run later-start: AllowanceVault.startOf(call, s, later)

; claim: a day holds its first second and not that of the next day
(check-sat)
(assert (not (and (<= start.result time) (< time end.result))))
(check-sat)

; claim: a day has 86,400 seconds and begins at a multiple of them
(check-sat)
(assert (not (and
  (= end.result (+ start.result 86400))
  (= start.result (* 86400 (div time 86400))))))
(check-sat)

; claim: the next day's number is one more, and zero after 65,535
(assert (<= end.result later))
(assert (< (- later end.result) 86400))
(check-sat)
(assert (not (= later-day.result (mod (+ day.result 1) 65536))))
(check-sat)

; claim: times on one day have one number
(assert (<= start.result later))
(assert (< later end.result))
(check-sat)
(assert (not (= day.result later-day.result)))
(check-sat)

; claim: times on two days less than 65,536 days apart have two numbers
(assert (<= end.result later))
(assert (< (- later-start.result start.result) (* 65536 86400)))
(check-sat)
(assert (not (distinct day.result later-day.result)))
(check-sat)

; claim: a number has 16 bits, and no time is refused
(check-sat)
(assert (not (and (<= 0 day.result 65535) (not (or day.reverts start.reverts end.reverts)))))
(check-sat)
