"""Tables that the tests of tables and charts work on; their numbers are few enough to add up."""

from __future__ import annotations

ORDERS = """Order ID,Date,Customer,City,Product,Units,Amount,Paid
1001,2024-01-05,Anna Smith,Berlin,Apple,10,"€ 1,200.50",yes
1002,2024-01-17,Ben Jones,Paris,Pear,3,€ 300.00,no
1003,2024-02-02,Anna Smith,Berlin,Pear,7,€ 700.00,yes
1004,2024-02-20,Carla Ruiz,Rome,Apple,1,€ 120.00,no
1005,2024-03-03,Ben Jones,Paris,Apple,12,"€ 1,440.00",yes
1006,2024-03-09,Dora Klein,Berlin,Plum,2,€ 50.25,yes
"""

#: With decimal commas, days first and a row that adds up the others.
GERMAN = """Datum;Artikel;Menge;Preis
03.04.2024;Brot;2;1.234,50 €
15.04.2024;Käse;10;0,50 €
01.05.2024;Brot;1;100,00 €
Summe;;13;1.335,00 €
"""

#: As a spreadsheet is read.
BOOK = """

## People

| Name | Age | Town |
| --- | --- | --- |
| Ida | 31 | Bonn |
| Jan | 28 |
| Kim | 45 | Köln |

## Hours

| Name | Day | Worked |
| --- | --- | --- |
| Ida | 2024-03-01 00:00:00 | 07:30:00 |
| Jan | 2024-03-01 00:00:00 | 08:15:00 |
| Ida | 2024-03-02 00:00:00 | 06:45:00 |
"""

STAFF = """First name;Last name;Department;Salary;Start date;Email
Anna;Meyer;Sales;52000;01.03.2019;anna@x.de
Bob;Li;IT;61000;15.07.2021;
Cleo;Sales;IT;58500;01.01.2020;cleo@x.de
Dirk;Otto;Sales;47000;30.11.2022;dirk@x.de
"""

#: What is spent is below zero.
SPENDING = """date,description,category,amount
03/01/2024,Train to Paris,Travel,-45.00
03/02/2024,Groceries,Food,-82.35
03/15/2024,Salary,Income,2500.00
04/02/2024,Restaurant,Food,-35.50
04/20/2024,Hotel Rome,Travel,-210.00
"""
