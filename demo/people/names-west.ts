import { type Heritage, TONES, wordList } from './names-kit.ts'

export const british: Heritage = {
  key: 'british',
  female: wordList(
    'Alice Amelia Anna Beatrice Bethan Caitlin Catherine Charlotte Claire Daisy Eleanor Elizabeth Ella Emily Emma Esther Fiona Florence Frances Georgia Grace Hannah Harriet Helen Imogen Isla Jane Jennifer Jessica Joanna Judith Kate Laura Lucy Lydia Margaret Martha Megan Morag Natalie Nicola Olivia Philippa Rachel Rebecca Rhiannon Rosalind Ruth Sarah Shona Sophie Susan Victoria Zoe',
  ),
  male: wordList(
    'Adam Alan Alexander Alistair Andrew Angus Anthony Benjamin Callum Charles Christopher Colin Daniel David Duncan Edward Ewan Fergus Frank Gareth George Gordon Graham Harry Hugh Huw Iain Ian Jack James John Jonathan Joseph Kenneth Laurence Lewis Luke Malcolm Mark Matthew Michael Neil Nicholas Oliver Oscar Owen Patrick Peter Philip Rhys Richard Robert Rory Samuel Simon Stephen Stuart Thomas Toby William',
  ),
  last: wordList(
    'Adams Ainsworth Allen Armitage Ashworth Bailey Baker Barlow Barnes Bennett Blackwood Bowen Bradshaw Brooks Buchanan Burgess Cameron Campbell Carter Chambers Clarke Cooper Cox Crawford Davies Dawson Drummond Edwards Ellis Evans Farrow Fletcher Forsyth Foster Fraser Gibson Gill Goodwin Graham Grant Greenwood Griffiths Hadley Hall Hamilton Harding Harper Harris Hartley Hayes Henderson Hewitt Holden Holmes Howarth Hughes Hunter Irving Jackson Jenkins Johnston Jones Kendall Kerr Knight Lambert Lawson Lewis Lloyd Lockwood MacDonald MacLeod Marsh Marshall Mason McAllister McKenna Mercer Middleton Mitchell Morgan Morris Murray Nash Nicholson Norris Osborne Owen Palmer Parry Patterson Pearson Phillips Porter Powell Pritchard Quinn Ramsay Rees Reid Reynolds Richards Roberts Robertson Rowe Russell Sanderson Shaw Sinclair Smith Spencer Stewart Stokes Sutherland Sutton Swift Taylor Thomson Thornton Turnbull Turner Wainwright Walker Wallace Walsh Ward Watkins Watts Webster Whitaker Wilkinson Williams Wilson Winter Wood Wright Yates Young',
  ),
  tones: TONES.pale,
  languages: [
    ['fr', 0.1],
    ['cy', 0.05],
    ['es', 0.06],
    ['de', 0.04],
  ],
}

export const american: Heritage = {
  key: 'american',
  female: wordList(
    'Abigail Allison Amanda Amy Angela Ashley Audrey Brianna Brooke Caroline Cassandra Chelsea Christine Claire Danielle Deborah Denise Ebony Elena Elizabeth Emily Erin Evelyn Faith Gabrielle Hannah Heather Holly Imani Jasmine Jennifer Jocelyn Julia Karen Katherine Kayla Kendra Lauren Leah Lillian Madeline Megan Melissa Michelle Monica Naomi Natalie Nicole Paige Rachel Rebecca Renee Samantha Sarah Shannon Stephanie Tamara Tiffany Vanessa Whitney',
  ),
  male: wordList(
    'Aaron Alan Andre Andrew Anthony Austin Benjamin Blake Brandon Brian Bryce Caleb Cameron Charles Christopher Curtis Daniel Darnell David Derek Dominic Douglas Dustin Edward Elijah Eric Ethan Evan Franklin Gabriel Garrett Gregory Henry Isaac Jacob James Jared Jason Jeremiah Joel Jonathan Jordan Joshua Justin Keith Kevin Kyle Logan Marcus Matthew Maurice Nathan Patrick Paul Raymond Russell Samuel Scott Terrence Timothy Travis Tyler Vincent Wesley Zachary',
  ),
  last: wordList(
    'Abbott Alexander Anderson Baldwin Barrett Becker Bishop Booker Bradley Brennan Briggs Brown Bryant Burke Caldwell Callahan Carlson Chandler Coleman Collins Conway Crawford Cunningham Daniels Dawson Dixon Donovan Douglas Eaton Ellison Erickson Fields Finch Fisher Fleming Freeman Gallagher Gardner Goldberg Goodman Graves Greene Hansen Harmon Hawkins Hayes Hoffman Holloway Hopkins Houston Hudson Jefferson Jensen Johnson Jordan Kaplan Kaufman Keller Kelley Klein Lane Larson Levine Lindsey Mack Maxwell McBride McCarthy McDaniel Meyer Miller Monroe Moore Mosley Nelson Newton Nolan Olson Parker Payne Perkins Peterson Pierce Porter Randolph Reed Rhodes Robinson Rosenberg Ross Schneider Schultz Sharp Shelton Simmons Snyder Stanton Stein Stevens Stone Sullivan Tate Thompson Tucker Vance Wade Wagner Walton Warren Washington Weaver Webb Weiss West Wheeler Whitfield Winters Woodard Ziegler',
  ),
  tones: [
    [0, 62],
    [1, 14],
    [3, 10],
    [4, 14],
  ],
  languages: [
    ['es', 0.22],
    ['fr', 0.05],
    ['de', 0.03],
  ],
}

export const slavic: Heritage = {
  key: 'slavic',
  female: wordList(
    'Agnieszka Aleksandra Anastasia Daria Ewa Irina Joanna Kasia Katarzyna Ludmila Magdalena Marta Natalia Oksana Olena Olga Svetlana Tatiana Yulia',
  ),
  male: wordList(
    'Aleksander Andrei Bartosz Dmitri Grzegorz Igor Jakub Krzysztof Maksym Marek Mikhail Oleh Pavel Piotr Sergei Stanislaw Tomasz Viktor Wojciech',
  ),
  last: wordList(
    'Babenko Baran Bondarenko Dudek Ivanenko Jankowski Kaminska Koval Kowalczyk Kravets Lebedev Lis Marchenko Mazur Morozov Novak Orlov Pavlenko Petrenko Sadowski Sokolov Szymanski Tkachenko Volkov Wojcik Zajac',
  ),
  tones: [
    [0, 88],
    [1, 12],
  ],
  languages: [
    ['pl', 0.5],
    ['ru', 0.45],
    ['uk', 0.34],
    ['de', 0.1],
  ],
}

export const southEuropean: Heritage = {
  key: 'south-european',
  female: wordList(
    'Alessandra Ana Beatriz Bianca Carla Chiara Elena Eleni Francesca Giulia Ines Ioana Lucia Maria Marta Paola Sofia Theodora',
  ),
  male: wordList(
    'Alessandro Andrei Antonio Bruno Carlo Constantinos Dimitris Filippo Giorgos Joao Luca Marco Matteo Nikos Paulo Rui Stefano Tiago',
  ),
  last: wordList(
    'Almeida Barbosa Bianchi Carvalho Colombo Constantinou Dimitriou Dumitru Ferrari Fonseca Georgiou Greco Ionescu Lombardi Marino Moretti Nikolaidis Papadakis Pereira Popescu Ricci Romano Rossi Silva Stavrou Teixeira',
  ),
  tones: [
    [0, 40],
    [1, 60],
  ],
  languages: [
    ['it', 0.4],
    ['el', 0.26],
    ['pt', 0.3],
    ['es', 0.24],
    ['ro', 0.2],
  ],
}

export const hispanic: Heritage = {
  key: 'hispanic',
  female: wordList(
    'Adriana Alejandra Ana Camila Carmen Catalina Cristina Daniela Elena Gabriela Guadalupe Isabel Laura Lucia Mariana Marisol Patricia Paola Rosa Sofia Teresa Valeria Veronica Ximena',
  ),
  male: wordList(
    'Alejandro Andres Antonio Carlos Cesar Diego Eduardo Enrique Esteban Felipe Fernando Francisco Gabriel Hector Javier Jorge Jose Luis Manuel Mateo Miguel Pablo Rafael Ricardo Roberto Santiago',
  ),
  last: wordList(
    'Acosta Aguilar Alvarado Cabrera Camacho Castillo Cervantes Contreras Delgado Dominguez Espinoza Estrada Figueroa Fuentes Guerrero Gutierrez Herrera Jimenez Maldonado Marquez Medina Mejia Mendoza Morales Moreno Navarro Ochoa Ortega Padilla Pena Quintero Ramirez Reyes Rios Rivera Rosales Salazar Sandoval Santos Serrano Solis Trujillo Valdez Vargas Vega Villarreal Zamora',
  ),
  tones: [
    [1, 48],
    [2, 42],
    [0, 10],
  ],
  languages: [
    ['es', 0.97],
    ['pt', 0.05],
  ],
}

export const turkish: Heritage = {
  key: 'turkish',
  female: wordList('Aylin Ayse Burcu Defne Derya Ebru Elif Emine Esra Gizem Merve Selin Zeynep'),
  male: wordList('Ahmet Baris Burak Cem Deniz Emre Hakan Kemal Mehmet Murat Onur Serkan Volkan'),
  last: wordList(
    'Arslan Aydin Bulut Celik Demir Dogan Erdem Kaplan Kaya Kilic Koc Ozdemir Polat Sahin Tekin Toprak Yildiz Yilmaz',
  ),
  tones: TONES.warm,
  languages: [
    ['tr', 0.96],
    ['de', 0.1],
  ],
  scarf: 0.16,
}

export const persian: Heritage = {
  key: 'persian',
  female: wordList(
    'Azadeh Elham Laleh Leila Mahsa Mina Nasrin Niloufar Parisa Roya Shirin Yasaman',
  ),
  male: wordList('Amir Arash Babak Behrouz Cyrus Dariush Farhad Kaveh Mehdi Nima Reza Siavash'),
  last: wordList(
    'Ahmadi Amini Azimi Bahrami Ebrahimi Farahani Hosseini Jafari Karimi Moradi Nazari Rahimi Rostami Sadeghi Tehrani Yazdani',
  ),
  tones: TONES.warm,
  languages: [['fa', 0.96]],
}
